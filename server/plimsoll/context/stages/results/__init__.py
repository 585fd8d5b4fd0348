"""The tool results in the view: how important each is, which are protected, what replaces one."""
