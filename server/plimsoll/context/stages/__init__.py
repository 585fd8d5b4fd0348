"""The stages of the pipeline, one file each; a stage returns edits, never messages."""
