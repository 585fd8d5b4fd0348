"""The pipeline and its stages, one file each; a stage returns edits, never messages."""
