"""The wire, version 1: the one source of every name and field that crosses it.

One file an area holds the models, `methods` the table of methods, `commands` the commands and
slash commands, `failures` the kinds of errors, `schema` the JSON Schema of all of it. The client's
TypeScript and `docs/wire.md` are generated from here.
"""
