"""The view: folds the log into the items and messages of the next request, and renders them."""
