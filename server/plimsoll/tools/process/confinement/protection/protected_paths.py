"""The protected paths that one look at a workspace has found."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from plimsoll.tools.process.confinement.protection.path_programs import PathProgram


@dataclass(slots=True, kw_only=True)
class ProtectedPaths:
    """Collects the protected paths of a workspace, relative to its root."""

    names: dict[str, str] = field(default_factory=dict[str, str])
    """What is protected by what it is, each with the reason: what is new of it is moved aside."""
    ends: dict[str, str] = field(default_factory=dict[str, str])
    """What is protected since something protected leads to it or names it, and exists."""
    missing: dict[str, str] = field(default_factory=dict[str, str])
    """Where something protected leads, and nothing is."""
    links: dict[str, str] = field(default_factory=dict[str, str])
    """The links by which it leads there, and those with a protected name, each with its text."""
    partial: set[str] = field(default_factory=set[str])
    """Folders of repositories: only parts of these are protected."""
    origins: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """Of the parts of a repository, what leads to it: where all of that goes, it is harmless."""
    git: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """Folders that hold some of what git knows its own folders by."""
    bare: set[str] = field(default_factory=set[str])
    """Those of them that git takes for a repository."""
    leading: dict[str, str] = field(default_factory=dict[str, str])
    """Links that are not protected, each with its text; none of those among packages."""
    programs: dict[str, PathProgram] = field(default_factory=dict[str, PathProgram])
    """Programs where packages are installed, that PATH finds before others of their names."""
    special: set[str] = field(default_factory=set[str])
    """Pipes, sockets and devices."""

    @property
    def protected(self) -> Mapping[str, str]:
        """All protected paths that exist and must not change."""
        return self.ends | self.names

    @property
    def pinned(self) -> set[str]:
        """Folders that must not be renamed, as parts of them are protected.

        A link can't be mounted over: its folder must stay, so that the link can be put back.
        """
        holding = {path.rpartition("/")[0] for path in self.links} - {""}
        return self.partial | (holding - self.protected.keys())
