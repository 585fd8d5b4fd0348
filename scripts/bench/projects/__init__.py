"""Six real projects as git repositories, and a person's plain walk through each of them.

Nothing of them stands here: they are public releases, fetched once into ``build/bench``.
"""
