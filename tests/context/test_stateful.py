"""Any order of turns, tool storms, edits, pins, evictions, restores, undos and windows.

After every step the laws hold; before every request the pipeline makes the context fit or says
which items do not let it, and asked twice it does what it did once.
"""

import json

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from builders import AT, LEDGER, assistant, result, system
from plimsoll.context.budget import budget_for
from plimsoll.context.draft import Draft, Knobs
from plimsoll.context.entries import (
    Cover,
    Edited,
    Noted,
    Pinned,
    Replace,
    Restore,
    Rewound,
    Said,
    Stage,
    State,
    Undone,
)
from plimsoll.context.fold import Fold, view_of
from plimsoll.context.invariants import violations
from plimsoll.context.messages import Kind, Part, Role, Source
from plimsoll.context.pipeline import as_edit
from plimsoll.context.view import View, render
from plimsoll.session.door import at_the_door
from plimsoll.session.preflight import preflight
from plimsoll.session.stamps import CountedStamps

RUNS = 420
"""Of each of the five windows: more than 2,000 together."""
STEPS = 12
WINDOWS = [1_024, 4_096, 8_192, 32_768, 200_000]
SIZES = st.sampled_from([0, 3, 80, 400, 900])
PATHS = st.sampled_from(["a.py", "b.py", "src/c.py"])
TOOLS = st.sampled_from(["shell", "grep", "file_read", "glob", "web_fetch"])


def sent(view: View) -> tuple[object, ...]:
    """What a provider would read of a request."""
    return tuple((m.role, m.text, m.calls, m.call_id) for m in render(view)), view.tokens


class Conversation(RuleBasedStateMachine):
    """A session without a model: the log, its fold and the window."""

    window = WINDOWS[0]

    @initialize()
    def begin(self) -> None:
        self.fold = Fold(LEDGER, [system()])
        self.stamps = CountedStamps()
        self.knobs = Knobs()
        self.versions = {"a.py": 0, "b.py": 0, "src/c.py": 0}
        self.budget = budget_for(self.window)
        self.pins = 0

    @property
    def draft(self) -> Draft:
        return Draft(self.fold, self.budget, self.knobs)

    def name(self, prefix: str) -> str:
        return self.stamps.new_id(prefix)

    @rule(size=SIZES)
    def ask(self, size: int) -> None:
        name = self.name("u")
        text = f"Please do {name}. Never do otherwise. " + "please " * size
        self.fold.append(Said(name, AT, Role.USER, name, (Part(Kind.TEXT, text),)))

    @rule(
        calls=st.lists(st.tuples(TOOLS, PATHS, SIZES, st.booleans()), min_size=1, max_size=6),
        words=st.sampled_from(["so", "based on load_index the issue is clear", "see a.py"]),
    )
    def storm(self, calls: list[tuple[str, str, int, bool]], words: str) -> None:
        for tool, path, size, failed in calls:
            text = self.output(tool, path, size)
            source = None
            if tool == "file_read":
                source = Source(f"file:///w/{path}", None, str(self.versions[path]))
            self.exchange(
                tool, {"path": path}, text, words, failed=failed and size < 100, source=source
            )

    def output(self, tool: str, path: str, size: int) -> str:
        version = self.versions[path]
        rows = (
            f"{n}\t{path} load_index row_{n} v{version if n == 3 else 0}" for n in range(size // 4)
        )
        return "\n".join([f"{tool} of {path}", *rows])

    def exchange(
        self, tool: str, arguments: object, text: str, words: str = "so", **part: object
    ) -> None:
        group, call = self.name("a"), self.name("c")
        self.fold.append(assistant(group, words, (call, tool, json.dumps(arguments))))
        said = result(self.name("r"), group, call, text, tool, **part)
        edits = at_the_door(said, self.draft, self.stamps, None)
        self.fold.extend([said, *edits])

    @rule(count=st.integers(2, 4), size=SIZES)
    def parallel(self, count: int, size: int) -> None:
        group = self.name("a")
        calls = [(self.name("c"), "grep", '{"pattern":"x"}') for _ in range(count)]
        self.fold.append(assistant(group, "", *calls))
        for call, _, _ in calls[: count - 1]:
            self.fold.append(result(self.name("r"), group, call, f"{call} " + "found " * size))

    @rule(path=PATHS)
    def edit(self, path: str) -> None:
        self.versions[path] += 1
        self.exchange("file_edit", {"path": path, "new_string": "x"}, f"edited {path}")

    @rule(path=PATHS)
    def type_in_the_editor(self, path: str) -> None:
        self.versions[path] += 1
        for found in self.fold.results.all():
            if found.path == path and found.name == "file_read":
                self.fold.append(Noted(self.name("n"), AT, "stale", found.item))

    @rule(size=st.integers(1, 30))
    def pin(self, size: int) -> None:
        self.pins += 1
        self.fold.append(Pinned(self.name("p"), AT, "always " * size + str(self.pins), self.pins))

    @precondition(lambda self: self.fold.pins)
    @rule(data=st.data())
    def unpin(self, data: st.DataObject) -> None:
        target = data.draw(st.sampled_from(sorted(self.fold.pins)))
        self.fold.append(Undone(self.name("x"), AT, target))

    @precondition(lambda self: self.fold.results.all())
    @rule(data=st.data())
    def evict(self, data: st.DataObject) -> None:
        item = data.draw(st.sampled_from([found.item for found in self.fold.results.all()]))
        op = Replace(item, "[evicted]", State.EVICTED)
        self.fold.append(Edited(self.name("e"), AT, Stage.EVICT, "", (op,), 0, 0))

    @precondition(lambda self: self.fold.groups)
    @rule(data=st.data())
    def evict_a_group(self, data: st.DataObject) -> None:
        group = data.draw(st.sampled_from(self.fold.groups)).id
        self.fold.append(
            Edited(self.name("e"), AT, Stage.EVICT, "", (Cover((group,), None),), 0, 0)
        )

    @precondition(lambda self: self.fold.results.all())
    @rule(data=st.data())
    def restore(self, data: st.DataObject) -> None:
        found = data.draw(st.sampled_from(self.fold.results.all()))
        op = Restore((found.group,), (found.item,))
        edit = Edited(self.name("e"), AT, Stage.RESTORE, "", (op,), 0, 0)
        with self.fold.supposing(edit) as view:
            fits = view.tokens <= self.budget.effective
        if fits:
            self.fold.append(edit)

    @precondition(lambda self: self.fold.edits)
    @rule(data=st.data())
    def undo(self, data: st.DataObject) -> None:
        """What comes back is what would stand without the edit."""
        target = data.draw(st.sampled_from(sorted(self.fold.edits)))
        undone = Undone(self.name("x"), AT, target)
        without = view_of([e for e in self.fold.entries if e.id != target], LEDGER)
        assert view_of([*self.fold.entries, undone], LEDGER) == without
        if without.tokens <= self.budget.effective:
            self.fold.append(undone)

    @precondition(lambda self: self.fold.groups)
    @rule(data=st.data())
    def rewind(self, data: st.DataObject) -> None:
        said = [each for group in self.fold.groups for each in group.visible]
        if said:
            to = data.draw(st.sampled_from(said)).id
            self.fold.append(Rewound(self.name("w"), AT, to))

    @rule(window=st.sampled_from([*WINDOWS, 0]))
    def switch_model(self, window: int) -> None:
        self.budget = budget_for(window)

    @rule()
    def request(self) -> None:
        """Make it fit or say what does not fit, and do so once."""
        reduced = preflight(self.draft)
        for proposal in reduced.proposals:
            assert proposal.ops
            self.fold.append(as_edit(proposal, self.name("e"), AT))
        view = self.fold.view
        assert sent(view) == sent(reduced.view)
        assert reduced.missing == max(0, view.tokens - self.budget.effective)
        assert bool(reduced.heaviest) == bool(reduced.missing)
        names = dict(self.fold.standing_names)
        assert names == dict(Fold(LEDGER, self.fold.entries).standing_names)
        again = preflight(self.draft)
        assert (again.proposals, again.missing) == ((), reduced.missing)

    @invariant()
    def the_laws_hold(self) -> None:
        view = self.fold.view
        found = violations(render(view), self.fold.pins.values(), 0, 1)
        assert not [each for each in found if each.law in {"pairing", "pins"}]
        assert view.tokens == sum(shown.tokens for shown in view.items())
        assert view.tokens == sum(view.by_slot.values())
        assert view == view_of(self.fold.entries, LEDGER)


@pytest.mark.timeout(400)
@pytest.mark.parametrize("window", WINDOWS)
def test_the_laws_hold_in_any_order(window: int) -> None:
    machine = type("Sized", (Conversation,), {"window": window})
    limits = settings(max_examples=RUNS, stateful_step_count=STEPS, deadline=None)
    run_state_machine_as_test(machine, settings=limits)
