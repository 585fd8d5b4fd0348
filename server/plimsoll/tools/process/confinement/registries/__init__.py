"""The proxy by which a confined command reaches package registries, and nothing else."""
