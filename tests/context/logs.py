"""Random logs for hypothesis: any order of messages, frames, pins, edits, undos and rewinds."""

from hypothesis import strategies as st

from builders import AT, LEDGER, edited
from plimsoll.context.log.entries import (
    Cover,
    Entry,
    Framed,
    ItemState,
    Noted,
    Pinned,
    Refer,
    Replace,
    Restore,
    Rewound,
    Said,
    Slot,
    Stage,
    Undone,
)
from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.text.lines import version_of

TEXTS = st.sampled_from(
    [
        "alpha beta",
        "one two three",
        "x" * 30,
        "same same same",
        "def f(): pass",
        "naïve 漢字",
        "[pruned: x]",
    ]
)


class LogBuilder:
    """Grows a valid log from drawn choices."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.entries: list[Entry] = []
        self.number = 0
        self.messages: list[Said] = []
        self.items: list[str] = []
        self.groups: list[str] = []
        self.targets: list[str] = []
        self.results: list[str] = []

    def name(self, prefix: str) -> str:
        self.number += 1
        return f"{prefix}{self.number}"

    def step(self) -> None:
        choice = self.draw(st.sampled_from(STEPS))
        getattr(self, choice)()

    def user(self) -> None:
        name = self.name("u")
        self._say(
            Said(
                id=name,
                at=AT,
                role=Role.USER,
                group=name,
                parts=(Part(kind=PartKind.TEXT, text=self.draw(TEXTS)),),
            )
        )

    def calls(self) -> None:
        name = self.name("a")
        count = self.draw(st.integers(0, 3))
        ids = [self.name("c") for _ in range(count)]
        parts = [Part(kind=PartKind.TEXT, text=self.draw(TEXTS))]
        if self.draw(st.booleans()):
            parts.insert(0, Part(kind=PartKind.REASONING, text="hm", opaque="sig"))
        parts += [Part(kind=PartKind.CALL, text="{}", call_id=i, name="grep") for i in ids]
        self._say(Said(id=name, at=AT, role=Role.ASSISTANT, group=name, parts=tuple(parts)))
        answered = self.draw(st.lists(st.sampled_from(ids), unique=True)) if ids else []
        for call in answered:
            text = self.draw(TEXTS)
            part = Part(kind=PartKind.RESULT, text=text, call_id=call, name="grep")
            said = Said(id=self.name("r"), at=AT, role=Role.TOOL, group=name, parts=(part,))
            self.results.append(text)
            self._say(said)

    def frame(self) -> None:
        slot = self.draw(st.sampled_from(["system", "mode", "tasks", "memories"]))
        place = self.draw(st.sampled_from(["head", "tail"]))
        text = self.draw(st.one_of(st.none(), TEXTS))
        self.entries.append(
            Framed(id=self.name("f"), at=AT, slot=slot, kind=Slot.SYSTEM, text=text, place=place)
        )

    def pin(self) -> None:
        name = self.name("p")
        self.targets.append(name)
        self.entries.append(Pinned(id=name, at=AT, text=self.draw(TEXTS), number=self.number))

    def note(self) -> None:
        self.entries.append(Noted(id=self.name("n"), at=AT, what="usage"))

    def edit(self) -> None:
        if not self.items:
            return
        ops = [self._op() for _ in range(self.draw(st.integers(1, 3)))]
        stage = self.draw(st.sampled_from(list(Stage)))
        name = self.name("e")
        self.targets.append(name)
        self.entries.append(edited(name, *ops, stage=stage, why="why"))

    def undo(self) -> None:
        if self.targets:
            target = self.draw(st.sampled_from(self.targets))
            self.entries.append(Undone(self.name("x"), AT, target))

    def rewind(self) -> None:
        if self.messages:
            to = self.draw(st.sampled_from(self.messages))
            before = to.role is Role.USER and self.draw(st.booleans())
            name = self.name("w")
            self.targets.append(name)
            self.entries.append(Rewound(name, AT, to.id, before))

    def _op(self):
        kind = self.draw(st.sampled_from(["replace", "refer", "cover", "restore"]))
        item = self.draw(st.sampled_from(self.items))
        groups = tuple(self.draw(st.lists(st.sampled_from(self.groups), unique=True, max_size=4)))
        if kind == "replace":
            return Replace(item, self.draw(TEXTS), ItemState.PRUNED)
        if kind == "refer" and self.results:
            base = version_of(self.draw(st.sampled_from(self.results)))
            return Refer(item, base, "unchanged")
        if kind == "cover":
            text, record = (self.draw(st.one_of(st.none(), TEXTS)) for _ in range(2))
            return Cover(groups, text, (), record)
        return Restore(groups, (item,))

    def _say(self, said: Said) -> None:
        self.entries.append(said)
        self.messages.append(said)
        self.items += [f"{said.id}.{n}" for n in range(len(said.parts))]
        if said.group not in self.groups:
            self.groups.append(said.group)


STEPS = [
    "user",
    "calls",
    "calls",
    "calls",
    "frame",
    "pin",
    "note",
    "edit",
    "edit",
    "undo",
    "rewind",
]


@st.composite
def logs(draw: st.DrawFn, most: int = 25) -> list[Entry]:
    """A log of up to so many steps."""
    builder = LogBuilder(draw)
    for _ in range(draw(st.integers(0, most))):
        builder.step()
    return builder.entries


__all__ = ["AT", "LEDGER", "LogBuilder", "logs"]
