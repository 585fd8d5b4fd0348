"""The contents that pointers refer to, and which groups show them verbatim."""

from collections.abc import Iterable, Iterator

from plimsoll.context.log.entries import ItemState, Refer, Said
from plimsoll.context.log.messages import PartKind, part_item, part_items
from plimsoll.context.view.view import Forms, Group, RenderedItem
from plimsoll.text.lines import version_of


def cut_hash(content: str) -> str:
    """Derive the hash of a truncated content, for a `Refer` to that form."""
    return f"{content}:cut"


class Bases:
    """An index of the contents that groups show verbatim, and of the groups that point to them."""

    def __init__(self) -> None:
        self._hash_of: dict[str, str] = {}
        self._holders: dict[str, set[int]] = {}
        self._referrers: dict[str, set[int]] = {}

    def add_contents(self, said: Said) -> None:
        """Register the contents of a new message's results."""
        for number, part in enumerate(said.parts):
            if part.kind is PartKind.RESULT:
                self._hash_of[part_item(said.id, number)] = version_of(part.text)

    def holders(self, content: str) -> frozenset[int]:
        """Return the indices of the groups that show a content verbatim."""
        return frozenset(self._holders.get(content, ()))

    def holds(self, refer: Refer, index: int) -> bool:
        """Tell whether a group before this one shows the content referred to verbatim."""
        return any(other < index for other in self._holders.get(refer.base, ()))

    def watch(self, index: int, contents: Iterable[str]) -> None:
        """Let `update` report this group when an earlier group gains or loses these contents."""
        for content in contents:
            self._referrers.setdefault(content, set()).add(index)

    def update(self, index: int, before: frozenset[str], now: frozenset[str]) -> set[int]:
        """Set the contents that a group shows; return the later groups whose pointers change."""
        if now == before:
            return set()
        changed = now ^ before
        for found in changed:
            holders = self._holders.setdefault(found, set())
            (holders.add if found in now else holders.discard)(index)
        touched = (self._referrers.get(found, set()) for found in changed)
        return {other for others in touched for other in others if other > index}

    def name_of(self, shown: RenderedItem) -> str | None:
        """Return the hash by which pointers name an item; None in a form they cannot name."""
        content = self._hash_of.get(shown.item)
        if content is None or shown.state is ItemState.VERBATIM:
            return content
        return cut_hash(content) if shown.state is ItemState.TRUNCATED else None


def bases_of(group: Group, forms: Forms) -> Iterator[str]:
    """Yield the contents that a group's pointers refer to, those under a newer form too."""
    for said in group.visible:
        for item in part_items(said.id, said.parts):
            for _, form in forms.get(item, ()):
                if isinstance(form, Refer):
                    yield form.base
