"""The pipeline: what a stage is given and returns, when it is due, and the run in cost order."""
