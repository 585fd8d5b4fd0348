"""Files that commands made under protected names: a person decides once whether to keep them."""
