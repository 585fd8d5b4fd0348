"""Editing at the prompt of `plimsoll chat`: keys, history, completion, a list to pick from."""
