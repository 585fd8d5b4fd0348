"""The small faults: those of cosmic-ray that are no mere nonsense, and four of our own."""

from collections.abc import Iterator, Sequence
from typing import Any

import parso
from cosmic_ray.operators.operator import Example, Operator
from cosmic_ray.plugins import get_operator

Place = tuple[tuple[int, int], tuple[int, int]]

TURNED = {"reversed": "list", "min": "max", "max": "min", "any": "all", "all": "any"}
SMALL = 2
"""A number up to this is a boundary and moves by one; a larger one is a size and grows tenfold."""


def _place(node: Any) -> Place:
    return node.start_pos, node.end_pos


class _OnePlace(Operator):
    """Changes a node in one way."""

    def fits(self, node: Any) -> bool:
        raise NotImplementedError

    def code(self, node: Any) -> str:
        raise NotImplementedError

    def mutation_positions(self, node: Any) -> Iterator[Place]:
        if self.fits(node):
            yield _place(node)

    def mutate(self, node: Any, _index: int) -> Any:
        return parso.parse(node.get_first_leaf().prefix + self.code(node))

    @classmethod
    def examples(cls) -> Sequence[Example]:
        return ()


class TurnOrder(_OnePlace):
    """Lets what is looked at last come first, the least be the most, one be all."""

    def fits(self, node: Any) -> bool:
        called = node.get_next_sibling() if node.type == "name" else None
        return called is not None and node.value in TURNED and called.get_code()[:1] == "("

    def code(self, node: Any) -> str:
        return TURNED[node.value]


class ChangeNumber(_OnePlace):
    """Moves a boundary by one, or makes a size ten times as large."""

    def fits(self, node: Any) -> bool:
        return node.type == "number"

    def code(self, node: Any) -> str:
        number = parso.python.tree.Number.get_code(node, include_prefix=False)
        return f"({number} + 1)" if _value(number) <= SMALL else f"({number} * 10)"


def _value(number: str) -> float:
    return float(int(number, 0)) if number[:2].lower() in {"0x", "0o", "0b"} else float(number)


class LeaveOutCall(_OnePlace):
    """Leaves out a call that stands alone, such as a check; what is only logged may go."""

    def fits(self, node: Any) -> bool:
        if node.type != "atom_expr" or node.parent.type != "simple_stmt":
            return False
        code = node.get_code(include_prefix=False)
        return code.endswith(")") and not code.startswith(("log.", "super("))

    def code(self, _node: Any) -> str:
        return "pass"


class ReturnNothing(_OnePlace):
    """Returns None in place of a value."""

    def fits(self, node: Any) -> bool:
        return node.type == "return_stmt" and node.children[1].get_code().strip() != "None"

    def code(self, _node: Any) -> str:
        return "return None"


_THEIRS = (
    *("Comparison_Lt_LtE", "Comparison_LtE_Lt", "Comparison_Gt_GtE", "Comparison_GtE_Gt"),
    *("Comparison_Eq_NotEq", "Comparison_NotEq_Eq", "Comparison_Is_IsNot", "Comparison_IsNot_Is"),
    *("Comparison_Lt_Gt", "Comparison_Gt_Lt", "Comparison_LtE_GtE", "Comparison_GtE_LtE"),
    *(
        "Binary_Add_Sub",
        "Binary_Sub_Add",
        "Binary_Mul_Add",
        "Binary_Div_Mul",
        "Binary_FloorDiv_Mul",
    ),
    *("Binary_Mod_Add", "Unary_Delete_Not", "Unary_USub_UAdd"),
)


def _full(name: str) -> str:
    kind, _, rest = name.partition("_")
    return f"core/Replace{kind}Operator_{rest}"


OPERATORS: tuple[Operator, ...] = (
    *(get_operator(_full(name))() for name in _THEIRS),
    *(
        get_operator(f"core/{name}")()
        for name in (
            *("AddNot", "ReplaceAndWithOr", "ReplaceOrWithAnd", "ReplaceTrueWithFalse"),
            *("ReplaceFalseWithTrue", "ReplaceBreakWithContinue", "ReplaceContinueWithBreak"),
            "ZeroIterationForLoop",
        )
    ),
    *(TurnOrder(), ChangeNumber(), LeaveOutCall(), ReturnNothing()),
)
"""Of a union of types or a decorator there are none: each such mutant dies as it is loaded."""
