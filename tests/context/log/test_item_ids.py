"""Ids of items are built and split in one place: no other file spells one or takes one apart."""

import ast

from test_architecture import MODULES, tree

SPLITTING = {"partition", "rpartition", "split", "startswith", "endswith", "removeprefix"}


def test_ids_of_items_are_built_and_split_in_one_place():
    spelled = [
        f"{module}:{node.lineno} {ast.unparse(node)}"
        for module, path in MODULES.items()
        if module != "plimsoll.context.log.messages"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.expr) and (_spells_an_item(node) or _splits_an_item(node))
    ]
    assert spelled == []


def _spells_an_item(node: ast.expr) -> bool:
    """Whether it is a text such as ``frame.…``, or joins an entry's id, a dot and something."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and node.value.startswith(("frame.", "pin."))
    if not isinstance(node, ast.JoinedStr) or len(node.values) < 2:
        return False
    name, dot = node.values[:2]
    return (
        isinstance(name, ast.FormattedValue)
        and ast.unparse(name.value).endswith((".id", ".entry", "message"))
        and isinstance(dot, ast.Constant)
        and str(dot.value).startswith(".")
    )


def _splits_an_item(node: ast.expr) -> bool:
    """Whether it takes a text called an item or an id apart, or looks at its beginning or end."""
    return (
        isinstance(node, ast.Call)
        and node.args != []
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in SPLITTING
        and ast.unparse(node.func.value).removesuffix("_id").endswith(("item", "item.id"))
    )
