"""The web: pages that a person lets the agent fetch, and searches where they have set one up."""
