"""What a terminal shows of a command that the agent runs."""

import io

from plimsoll.context.log.traits import ToolTraits
from plimsoll.session.events import CallChanged, CallMade, CallShown
from plimsoll.terminal.screen import Screen
from plimsoll.terminal.show import Show, folded


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(err: io.StringIO, *outputs: tuple[str, str]) -> str:
    show = Show(Screen(io.StringIO(), err))
    traits = ToolTraits(kind="execute", verb="Run", runs=True)
    call = CallShown(id="c1", item="i", name="shell", arguments="{}", traits=traits)
    show("s", CallMade("t", call))
    for status, output in outputs:
        show("s", CallChanged(turn="t", call_id="c1", status=status, output=output))
    return err.getvalue()


def test_the_last_line_passes_while_it_runs_and_the_end_stays():
    told = shown(Terminal(), ("running", "1\n2"), ("completed", "1\n2\n3\n[exit code: 0]"))
    assert "│ 2" in told
    assert told.index("│ 2") < told.index("│ 1")
    assert "│ [exit code: 0]" in told


def test_where_no_line_passes_only_a_failure_is_told():
    told = shown(io.StringIO(), ("running", "1\n2"), ("completed", "1\n2"))
    assert "│" not in told
    assert "failed: no such file" in shown(io.StringIO(), ("failed", "no such file"))


def test_a_long_output_is_folded():
    lines = "\n".join(map(str, range(40)))
    assert folded(lines).split("\n") == ["  │ … 35 lines", *(f"  │ {n}" for n in range(35, 40))]
    assert folded("1\n2\n") == "  │ 1\n  │ 2"
