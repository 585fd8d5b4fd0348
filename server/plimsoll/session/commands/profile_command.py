"""`/profile`: shows the profile of settings that holds, or lets another one hold."""

from collections.abc import Sequence

from plimsoll.errors import InvalidInput
from plimsoll.session.commands.memory_commands import Reply
from plimsoll.session.ports.profiles import ProfileShown, ProfileValueShown
from plimsoll.session.project import Project
from plimsoll.session.session import Session


async def profile(rest: str, project: Project, _session: Session) -> Reply:
    """Answer with the profile that holds now."""
    profiles = project.environment.profiles
    known = {one.name: one for one in profiles.list_profiles()}
    if not rest:
        return Reply(profile_markdown(known[profiles.held], list(known.values())))
    if rest not in known:
        raise InvalidInput(
            f"There is no profile {rest[:40]!r}.", remedy=f"Profiles: {', '.join(known)}."
        )
    await profiles.choose(rest)
    words = (
        f"Profile: **{rest}**, for every session of this server, from the next request on until "
        f'the server ends. To keep it, set `profile = "{rest}"` in config.toml, or '
        "`plimsoll.profile` in VS Code."
    )
    own = [one for one in known[rest].values if one.overridden]
    return Reply("\n\n".join([words, *([_describe_kept(own)] if own else [])]))


def profile_markdown(held: ProfileShown, known: Sequence[ProfileShown]) -> str:
    """Write the values of a profile with their reasons, and the names of the others."""
    rows = [
        f"| `{one.setting}` | `{one.value}`{' (you set it yourself)' if one.overridden else ''} "
        f"| {one.why} |"
        for one in held.values
    ]
    table = ["| setting | value | why |", "| --- | --- | --- |", *rows] if rows else []
    others = [f"- `/profile {one.name}`: {one.purpose}" for one in known if one is not held]
    parts = [f"Profile: **{held.name}**. {held.purpose}", "\n".join(table), "\n".join(others)]
    return "\n\n".join(part for part in parts if part)


def _describe_kept(own: Sequence[ProfileValueShown]) -> str:
    names = ", ".join(f"`{one.setting}`" for one in own)
    return f"You set {names} yourself; your values stay."
