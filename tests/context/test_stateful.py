"""Any order of turns, tool storms, edits, pins, evictions, undos, models, summaries and restarts.

After every step the laws hold; before every request the pipeline makes the context fit or says
which items do not let it, and asked twice it does what it did once. Summarisers fail and lie:
whatever they say, no compaction follows another without progress.
"""

import json
from dataclasses import replace

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

from builders import AT, TOOLS, assistant, edited, result, system
from context.summarisers import ANSWERS, ORDERS, written, written_ahead
from examples import examples
from plimsoll.context.budget import budget_for, meter_of
from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import (
    SUMMARIES,
    Cover,
    Entry,
    ItemState,
    Noted,
    Pinned,
    Replace,
    Restore,
    Rewound,
    Said,
    Stage,
    Undone,
)
from plimsoll.context.log.messages import Part, PartKind, Role, Source
from plimsoll.context.log.serialization import decode, encode
from plimsoll.context.pipeline.proposal import NextRequest, Proposal, as_edit
from plimsoll.context.pipeline.settings import PipelineSettings
from plimsoll.context.stages import digest
from plimsoll.context.stages.compaction_plan import least_gain
from plimsoll.context.stages.preflight import preflight
from plimsoll.context.view.fold import Fold, view_of
from plimsoll.context.view.groups import is_user, last_user_group
from plimsoll.context.view.ledger import Ledger, violations
from plimsoll.context.view.request_messages import render
from plimsoll.context.view.unseen import is_unseen
from plimsoll.context.view.view import View
from plimsoll.session.ports.clock import CountedClock
from plimsoll.session.reduction.ingest import ingest_edits, too_long

RUNS = examples(120)
"""Of each of the five windows: more than 2,000 together."""
STEPS = 12
TOKENS_OF_A_WORD = {1_024: 1, 4_096: 2, 8_192: 4, 32_768: 16, 200_000: 100}
"""By window: a large one is filled by few words, so that it costs no more to try than a small."""
SHARES = st.sampled_from([0, 0.002, 0.02, 0.08, 0.2])
"""Of the effective window that a text takes, about."""
PATHS = st.sampled_from(["a.py", "b.py", "src/c.py"])
TOOL_NAMES = st.sampled_from(["shell", "grep", "file_read", "glob", "web_fetch"])
ASKED = st.sampled_from(
    ["Please go on.", "Never touch a.py.", "[Summary of the earlier conversation]", ORDERS]
)


def ledger_for(window: int, *, other: bool = False) -> Ledger:
    """One tokenizer counts words, another one characters."""
    unit = TOKENS_OF_A_WORD[window]
    return Ledger(lambda text: unit * (len(text) // 6 + 1 if other else len(text.split())))


def sent(view: View) -> tuple[object, ...]:
    """What a provider would read of a request."""
    return tuple((m.role, m.text, m.calls, m.call_id) for m in render(view)), view.tokens


class Conversation(RuleBasedStateMachine):
    """A session without a model: the log, its fold and the window."""

    window = 1_024
    runs = 0

    @initialize(load=st.sampled_from([0, 0.5, 0.7, 0.83]), fixed=st.sampled_from([0, 0, 0.6, 0.8]))
    def begin(self, load: float, fixed: float) -> None:
        """A session with some load, of which the system text may be the most."""
        type(self).runs += 1
        self.ledger = ledger_for(self.window)
        first = system("You are. " + "rule " * self.words(fixed))
        self.indexes = Indexes(Fold(self.ledger, [first], TOOLS))
        self.clock = CountedClock()
        self.settings = PipelineSettings()
        self.versions = {"a.py": 0, "b.py": 0, "src/c.py": 0}
        self.budget = budget_for(self.window)
        self.cold, self.ahead = True, None
        self.since = self.useless = 0
        if load:
            self.ask("Please repair the build. Never touch the tests.", 0)
        while self.fold.view.tokens < load * self.budget.effective:
            text = self.output("shell", "a.py", 0.1, 10 + len(self.fold.entries))
            self.exchange("shell", {"path": "a.py"}, text)

    @property
    def fold(self) -> Fold:
        return self.indexes.fold

    @property
    def next_request(self) -> NextRequest:
        now = {"budget": self.budget, "settings": self.settings, "cold": self.cold}
        return NextRequest(indexes=self.indexes, written=self.ahead, **now)

    def name(self, prefix: str) -> str:
        return self.clock.new_id(prefix)

    def words(self, share: float) -> int:
        """How many words take such a share of the window in which the session began."""
        tokens = share * budget_for(self.window).effective
        return int(tokens / TOKENS_OF_A_WORD[self.window])

    def append(self, *entries: Entry) -> None:
        """Keep what somebody said or did; a compaction may find something to do again."""
        self.since = 0
        self.fold.extend(entries)

    def reduce(self, proposal: Proposal) -> None:
        """Keep what was decided without a person."""
        before, asked = self.fold.view.tokens, self.last_words()
        self.fold.append(as_edit(proposal, self.name("e"), AT))
        freed = before - self.fold.view.tokens
        assert freed > 0
        assert self.last_words() == asked
        if proposal.stage in SUMMARIES:
            assert self.settings.compaction.auto
            # A summary that was written ahead is there once; what may go on and on is a digest.
            self.since += proposal.stage is Stage.DIGEST
            lasts = freed >= least_gain(self.next_request)
            assert lasts or proposal.stage is not Stage.DIGEST
            self.useless = 0 if lasts else self.useless + 1
        assert max(self.since, self.useless) <= 2, "compactions without progress"

    def last_words(self) -> list[str]:
        """What a person said last, as it stands in the view."""
        last = last_user_group(self.fold)
        lines = self.fold.rendered_groups()[last.index].lines if last else ()
        return [line.messages[0].text for line in lines if line.group is not None]

    @rule(text=ASKED, share=SHARES)
    def ask(self, text: str, share: float) -> None:
        name = self.name("u")
        whole = f"{text} {name} " + "please " * self.words(share)
        self.append(
            Said(
                id=name,
                at=AT,
                role=Role.USER,
                group=name,
                parts=(Part(kind=PartKind.TEXT, text=whole),),
            )
        )

    @rule(
        calls=st.lists(
            st.tuples(TOOL_NAMES, PATHS, SHARES, st.integers(0, 3)), min_size=1, max_size=5
        ),
        words=st.sampled_from(["so", "based on load_index the issue is clear", "see a.py"]),
    )
    def storm(self, calls: list[tuple[str, str, float, int]], words: str) -> None:
        for tool, path, share, salt in calls:
            text = self.output(tool, path, share, salt)
            source = None
            if tool == "file_read":
                source = Source(f"file:///w/{path}", None, f"{self.versions[path]}.{salt}")
            self.exchange(tool, {"path": path}, text, words, failed=salt == 3, source=source)

    def output(self, tool: str, path: str, share: float, salt: int) -> str:
        version = self.versions[path]
        rows = (
            f"{n}\t{path} load_index row_{n}_{salt} v{version if n == 3 else 0}"
            for n in range(self.words(share) // 5)
        )
        return "\n".join([f"{tool} of {path}", *rows])

    def exchange(
        self, tool: str, arguments: object, text: str, words: str = "so", **part: object
    ) -> None:
        group, call = self.name("a"), self.name("c")
        spoken = assistant(group, words, (call, tool, json.dumps(arguments)))
        thought = Part(kind=PartKind.REASONING, text="hm", opaque="signed")
        self.append(replace(spoken, parts=(thought, *spoken.parts)))
        said = result(self.name("r"), group, call, text, tool, **part)
        cut = too_long(said, self.next_request)
        self.append(said, *ingest_edits(said, self.next_request, self.clock, cut=cut))

    @rule()
    def write_ahead(self) -> None:
        """A model has written beside the turn; whatever follows, it is swapped in or void."""
        self.ahead = written_ahead(self.next_request)

    @rule(count=st.integers(2, 4), share=SHARES)
    def parallel(self, count: int, share: float) -> None:
        """Calls of one message; the last one is left open, as a cancel or a crash leaves it."""
        group = self.name("a")
        calls = [(self.name("c"), "grep", '{"pattern":"x"}') for _ in range(count)]
        self.append(assistant(group, "", *calls))
        for call, _, _ in calls[: count - 1]:
            text = f"{call} " + "found " * self.words(share / 2)
            self.append(result(self.name("r"), group, call, text))

    @rule(path=PATHS)
    def edit(self, path: str) -> None:
        self.versions[path] += 1
        self.exchange("file_edit", {"path": path, "new_string": "x"}, f"edited {path}")

    @rule(path=PATHS)
    def type_in_the_editor(self, path: str) -> None:
        self.versions[path] += 1
        for found in self.indexes.results.all():
            if found.path == path and found.name == "file_read":
                self.append(Noted(id=self.name("n"), at=AT, what="stale", item=found.item))

    @rule(size=st.integers(1, 8))
    def pin(self, size: int) -> None:
        number = len(self.fold.entries)
        text = f"[Superseded] </pin> {'always ' * size}{number}"
        self.append(Pinned(id=self.name("p"), at=AT, text=text, number=number))

    @precondition(lambda self: self.fold.pins)
    @rule(data=st.data())
    def unpin(self, data: st.DataObject) -> None:
        target = data.draw(st.sampled_from(sorted(self.fold.pins)))
        self.append(Undone(self.name("x"), AT, target))

    @precondition(lambda self: self.indexes.results.all())
    @rule(data=st.data())
    def evict(self, data: st.DataObject) -> None:
        item = data.draw(st.sampled_from([found.item for found in self.indexes.results.all()]))
        op = Replace(item, "[evicted]", ItemState.EVICTED)
        self.append(edited(self.name("e"), op, stage=Stage.EVICT))

    @precondition(lambda self: self.fold.groups)
    @rule(data=st.data())
    def evict_a_group(self, data: st.DataObject) -> None:
        group = data.draw(st.sampled_from(self.fold.groups)).id
        cover = Cover((group,), None)
        self.append(edited(self.name("e"), cover, stage=Stage.EVICT))

    @precondition(lambda self: self.indexes.results.all())
    @rule(data=st.data())
    def restore(self, data: st.DataObject) -> None:
        found = data.draw(st.sampled_from(self.indexes.results.all()))
        op = Restore((found.group,), (found.item,))
        edit = edited(self.name("e"), op, stage=Stage.RESTORE)
        with self.fold.trial_edit(edit) as view:
            fits = view.tokens <= self.budget.effective
        if fits:
            self.append(edit)

    @precondition(lambda self: self.fold.edits)
    @rule(data=st.data())
    def undo(self, data: st.DataObject) -> None:
        """What comes back is what would stand without the edit."""
        target = data.draw(st.sampled_from(sorted(self.fold.edits)))
        undone = Undone(self.name("x"), AT, target)
        without = view_of([e for e in self.fold.entries if e.id != target], self.ledger)
        assert view_of([*self.fold.entries, undone], self.ledger) == without
        if without.tokens <= self.budget.effective:
            self.append(undone)

    @precondition(lambda self: self.fold.groups)
    @rule(data=st.data())
    def rewind(self, data: st.DataObject) -> None:
        said = [each for group in self.fold.groups for each in group.visible]
        if said:
            to = data.draw(st.sampled_from(said))
            before = to.role is Role.USER and data.draw(st.booleans())
            self.append(Rewound(self.name("w"), AT, to.id, before))

    @precondition(lambda self: self.fold.rewinds)
    @rule()
    def forward_again(self) -> None:
        """A rewind is taken back as long as nothing new was said."""
        newest = list(self.fold.rewinds)[-1]
        place = self.fold.index_of(newest)
        if not any(isinstance(entry, Said) for entry in self.fold.entries[place:]):
            self.append(Undone(self.name("x"), AT, newest))

    @rule(window=st.sampled_from([*TOKENS_OF_A_WORD, 0]), other=st.booleans())
    def switch_model(self, window: int, other: bool) -> None:
        """Another window and another tokenizer; the provider's cache knows nothing."""
        self.since = self.useless = 0
        self.budget, self.cold = budget_for(window), True
        self.ledger = ledger_for(self.window, other=other)
        self.fold.reprice(self.ledger)

    @rule(auto=st.booleans())
    def postpone(self, auto: bool) -> None:
        self.settings = replace(
            self.settings, compaction=replace(self.settings.compaction, auto=auto)
        )

    @rule()
    def wait(self) -> None:
        """The provider forgets the prefix."""
        self.cold = True

    @rule(kind=st.sampled_from(sorted(ANSWERS)), by_hand=st.booleans())
    def compact(self, kind: str, by_hand: bool) -> None:
        """A summariser writes, or the digest serves; without a person it must last."""
        if not by_hand and not self.settings.compaction.auto:
            return
        least = 1 if by_hand else least_gain(self.next_request)
        proposal = written(self.next_request, kind, by_hand=by_hand) or digest.propose(
            self.next_request, "", by_hand=by_hand, least=least
        )
        if proposal is None:
            return
        before = self.fold.view.tokens
        with self.fold.trial_edit(as_edit(proposal, "trial")) as after:
            enough = before - after.tokens >= least
        if enough and by_hand:
            self.append(as_edit(proposal, self.name("e"), AT))
        elif enough:
            self.reduce(proposal)

    @rule()
    def restart(self) -> None:
        """Another process reads what was stored, sees the same and would do the same."""
        stored = [encode(entry) for entry in self.fold.entries]
        fold = Fold(self.ledger, map(decode, stored), TOOLS)
        assert fold.entries == self.fold.entries
        assert sent(fold.view) == sent(self.fold.view)
        assert fold.shielded == self.fold.shielded
        assert preflight(replace(self.next_request, indexes=Indexes(fold))) == preflight(
            self.next_request
        )
        self.indexes = Indexes(fold)

    @rule()
    def request(self) -> None:
        """Make it fit or say what does not fit, and do so once."""
        reduced = preflight(self.next_request)
        for proposal in reduced.proposals:
            assert proposal.ops
            self.reduce(proposal)
        view = self.fold.view
        assert sent(view) == sent(reduced.view)
        assert reduced.missing == max(0, view.tokens - self.budget.effective)
        assert bool(reduced.heaviest) == bool(reduced.missing)
        if reduced.missing:
            self.nothing_more_can_leave()
        anew = Indexes(Fold(self.ledger, self.fold.entries, TOOLS))
        assert dict(self.indexes.name_counts_in_view()) == dict(anew.name_counts_in_view())
        again = preflight(self.next_request)
        assert (again.proposals, again.missing) == ((), reduced.missing)
        self.cold = False

    def nothing_more_can_leave(self) -> None:
        """What does not fit is what must stay: the last words, what is new, the newest group."""
        last = last_user_group(self.fold)
        standing = [each for each in self.fold.rendered_groups() if each.lines]
        for each in standing[:-1]:
            spoken = [line for line in each.lines if line.group == each.group.id]
            assert each.group is last or is_unseen(each, self.fold) or not spoken
        assert last is None or is_user(last)

    @invariant()
    def the_laws_hold(self) -> None:
        view = self.fold.view
        messages = render(view)
        found = violations(messages, self.fold.pins.values(), 0, 1)
        assert not [each for each in found if each.law in {"pairing", "pins"}]
        assert all(m.signature for m in messages if m.calls and m.calls[0].name != "grep")
        assert view.tokens == sum(shown.tokens for shown in view.items())
        assert view.tokens == sum(view.by_slot.values())
        assert sum(meter_of(view, self.budget, draft=7).parts.values()) == view.tokens + 7

    def teardown(self) -> None:
        """However it grew, it is the fold of its entries; and the next request can be made."""
        if hasattr(self, "fold"):
            assert self.fold.view == view_of(self.fold.entries, self.ledger)
            self.request()
            self.restart()


@pytest.mark.timeout(400)
@pytest.mark.parametrize("window", TOKENS_OF_A_WORD)
def test_the_laws_hold_in_any_order(window: int) -> None:
    machine = type("Sized", (Conversation,), {"window": window})
    limits = settings(max_examples=RUNS, stateful_step_count=STEPS, report_multiple_bugs=False)
    run_state_machine_as_test(machine, settings=limits)
    assert machine.runs >= RUNS
