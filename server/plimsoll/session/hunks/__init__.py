"""Hunks of what the agent changed: a person keeps or undoes each where it stands."""
