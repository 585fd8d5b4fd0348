"""In which encoding a text was written that is no UTF-8."""
