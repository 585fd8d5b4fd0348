"""Plays recorded sessions through policies side by side: cost, evidence, rules, reductions."""
