"""What is told of an agent that worked apart: to itself, to its caller, and to the person."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from plimsoll.text.wording import plural
from plimsoll.tools.display import visible_path
from plimsoll.tools.ports.apart.own_trees import WITHHELD, CameIn, FileIn, OwnTree

BRIEF = (
    "You work in a git worktree of your own, {root}: a copy of the user's folder as it is now, "
    "with what is not committed. You change nothing outside of it; at the end it is removed, and "
    "what you changed is merged into the user's folder. Do not commit."
)
_HOW: Mapping[CameIn, str] = {
    "merged": "merged into the user's folder",
    "same": "the same in the user's folder already",
    "conflict": "CONFLICT, not merged",
    "left": "not merged",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How the changes of an agent that worked apart ended: merged, on a branch, or failed."""

    files: Sequence[FileIn] = ()
    why: str | None = None
    """Why nothing came in; None: it was allowed."""
    branch: str | None = None
    """The branch with all of its changes."""
    kept: str | None = None
    """Where the tree is kept, and why."""
    withheld: Sequence[str] = ()
    """The changed files that were left out of the branch."""

    @property
    def needs_branch(self) -> bool:
        """Whether some change is not in the folder, or what it replaced is nowhere else."""
        out = any(each.how in ("conflict", "left") or each.needs_branch for each in self.files)
        return self.why is not None or out


def brief_of(tree: OwnTree) -> str:
    """Write what an agent is told of its tree."""
    linked = f" Linked, for reading alone: {', '.join(tree.linked)}." if tree.linked else ""
    missing = f" Not in it: {', '.join(tree.missing)}." if tree.missing else ""
    return f"{BRIEF.format(root=tree.root)}{linked}{missing}"


def apart_report(ending: Ending, tree: OwnTree) -> str:
    """Write how the changes of a tree came in; empty: there were none."""
    return "\n".join(_lines(ending, tree))


def notice_of(ending: Ending, what: str) -> str | None:
    """Write what the person is told of changes that did not come in; None: all did.

    ``what``: the agent's task.
    """
    if ending.kept is not None:
        return f"The worktree of “{what}” is kept: {ending.kept}"
    secrets = f" {WITHHELD.format(', '.join(ending.withheld))}" if ending.withheld else ""
    if ending.branch is None:
        return f"Not all of “{what}” is merged.{secrets}" if secrets else None
    out = [
        f"{visible_path(each.name)} ({each.why})"
        for each in ending.files
        if each.how != "merged" and each.why
    ]
    named = f": {'; '.join(out)}" if out else ""
    why = f", since {ending.why}" if ending.why else ""
    return (
        f"Not all of “{what}” is merged{why}{named}. All that it changed is in the branch "
        f"`{ending.branch}`: `git diff {ending.branch}~1 {ending.branch}` shows it, "
        f"`git branch -D {ending.branch}` drops it.{secrets}"
    )


def _lines(ending: Ending, tree: OwnTree) -> Iterator[str]:
    if ending.files:
        yield f"It changed {plural(len(ending.files), 'file')} in a worktree of its own:"
    for how in _HOW:
        for file in ending.files:
            if file.how == how:
                why = f": {file.why}" if file.why else ""
                yield f"- {visible_path(file.name)} ({file.what}): {_HOW[how]}{why}"
                yield from [f"```\n{file.both}\n```"] if file.both else []
    if ending.branch is not None:
        why = f", since {ending.why}" if ending.why else ""
        yield (
            f"All that it changed is in the branch {ending.branch}{why}: `git diff "
            f"{ending.branch}~1 {ending.branch}` shows it, `git show {ending.branch}:PATH` a file."
        )
    if ending.withheld:
        yield WITHHELD.format(", ".join(ending.withheld))
    if ending.kept is not None:
        yield f"Its worktree is kept: {ending.kept}"
    if (ending.files or ending.branch) and tree.missing:
        yield f"Not in its worktree: {', '.join(tree.missing)}."
