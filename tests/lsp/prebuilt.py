"""Builds as it is imported what each product builds after its start: forked processes share it."""

import gc
from collections.abc import Iterator
from functools import cache

from lsprotocol import converters
from pydantic import BaseModel

from plimsoll.terminal import arguments
from plimsoll.tokens import vocabulary


def models(of: type[BaseModel] = BaseModel) -> Iterator[type[BaseModel]]:
    for each in of.__subclasses__():
        yield each
        yield from models(each)


vocabulary.build_encoding = cache(vocabulary.build_encoding)
vocabulary.build_encoding(vocabulary.SHIPPED, "o200k_base")
# A process has one server, which takes the converter as it is.
converters.get_converter = cache(converters.get_converter)
converters.get_converter()
for model in models():
    model.model_rebuild()
# A process parses one command line.
arguments.parser = cache(arguments.parser)
arguments.parser()
# A collector that looks through it would copy its pages in each process.
gc.collect()
gc.freeze()
