"""By which way an address is reached, and whose certificates are trusted there."""
