"""How the cost grows with the work: each part at a tenth of its size, at it, and at ten times."""
