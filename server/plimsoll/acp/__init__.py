"""The door for editors that speak the Agent Client Protocol: one client over standard streams."""
