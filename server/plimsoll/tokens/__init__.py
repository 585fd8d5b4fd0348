"""Count the tokens of a text as its model would, or estimate them and say so."""
