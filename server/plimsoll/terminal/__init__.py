"""The commands of the terminal; `plimsoll.cli` chooses one of them."""
