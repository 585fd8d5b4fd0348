"""How addresses are reached, and which certificates are trusted there."""
