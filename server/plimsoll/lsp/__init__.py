"""The edge: the Language Server Protocol, hardened, and what of Plimsoll it shows."""
