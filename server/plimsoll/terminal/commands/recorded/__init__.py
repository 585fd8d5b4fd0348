"""Commands on recorded sessions: how one would be reduced, and policies side by side."""
