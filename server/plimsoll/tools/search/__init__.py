"""The tools grep and glob: walk the files, leave out the ignored ones, and match."""
