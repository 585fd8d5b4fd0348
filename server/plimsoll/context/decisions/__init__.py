"""The decision record: what was declined, allowed, corrected, tried in vain, and done."""
