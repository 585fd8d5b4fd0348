"""``shell`` and ``shell_read``: commands in the workspace folder, each approved as a whole.

Law: no list of harmless commands. What a text does is known only by running it, so every command
is shown whole and asked about; "allow for this session" covers exactly the same text again, with
the same time limit, and in the background or with the network only if it was so before. Outside
the sandbox, where there is one, is asked about each time.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from plimsoll.context.log.call_end import CallEnd
from plimsoll.context.log.json_fields import exit_note
from plimsoll.context.log.messages import ToolSchema
from plimsoll.context.log.traits import ToolTraits
from plimsoll.errors import ToolFailed
from plimsoll.text.wording import plural
from plimsoll.tools.arguments import check_arguments
from plimsoll.tools.display import visible, whole_line
from plimsoll.tools.permissions.commands import command_scopes
from plimsoll.tools.permissions.definitions import CommandPlaces
from plimsoll.tools.permissions.words import NotLasting
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.intent import HeldBack, Intent, Location, Outcome
from plimsoll.tools.ports.permission import PermissionScope
from plimsoll.tools.ports.tool import Arguments
from plimsoll.tools.process.confinement.base import UNCONFINED, Access, Confine, Rung
from plimsoll.tools.process.held_back import guess_text, held_back, is_kept_out, refusal_text
from plimsoll.tools.process.processes import Ended, Processes, RunningCommand
from plimsoll.tools.process.supervision.supervised import Limit
from plimsoll.tools.process.telling import tell_output

DEFAULT_SECONDS = 120
MOST_SECONDS = 600
# A single argument of a process may have 128 KiB on Linux.
LONGEST_COMMAND = 100_000
OUTSIDE_WHY = "It runs outside the sandbox, where it can do all that you can."
APART = (
    "Outside the sandbox no command runs for an agent with a worktree of its own: it could change "
    "the user's folder. Say in your answer what is to be run there."
)
APART_WHY = (
    "No sandbox works here, so that it can change your own folder too, not only the worktree."
)
_TOO_MUCH: dict[Limit, str] = {
    "memory": "with all that it started it held more memory than a command in a sandbox may, its "
    "temporary files and shared memory included",
    "processes": "it started more processes than a command in a sandbox may have at a time",
    "disk": "it took more of the disk than a command in a sandbox may",
}
# How long a background command is watched for an early end, and how long news is waited for.
_FIRST_SECONDS = 0.5
_NEWS_SECONDS = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ShellPlan:
    """The command to run, and for how long."""

    command: str
    seconds: int
    background: bool
    access: Access | None
    """What it is confined to; none: it runs unconfined."""
    rung: Rung
    """The sandbox that was shown."""


class Shell:
    """Runs a shell command."""

    schema: ToolSchema = ToolSchema(
        "shell",
        "Run a command with bash in the workspace folder, without input. Gives output and exit "
        "code. Processes left running are ended; for servers set background, then use shell_read. "
        "It may run in a sandbox, which lets it write only there and has no network.",
        {
            "type": "object",
            "properties": {
                "command": {"type": "string", "minLength": 1, "maxLength": LONGEST_COMMAND},
                "timeout": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": MOST_SECONDS,
                    "description": f"Seconds, default {DEFAULT_SECONDS}.",
                },
                "background": {"type": "boolean"},
                "network": {"type": "boolean", "description": "It needs the network."},
                "unconfined": {
                    "type": "boolean",
                    "description": "Outside the sandbox, after it failed inside.",
                },
            },
            "required": ["command"],
        },
    )
    traits: ToolTraits = ToolTraits(
        kind="execute", verb="Run", subject="command", runs=True, weight=70
    )
    reading: bool = False

    def __init__(self, processes: Processes) -> None:
        self._processes = processes

    def prepare(self, arguments: Arguments, context: CallContext) -> Intent[ShellPlan]:
        """Show the whole command; a person is always asked."""
        given = check_arguments(self.schema, arguments)
        command, seconds = str(given["command"]), given.get("timeout", DEFAULT_SECONDS)
        if "\0" in command or not command.strip():
            raise ToolFailed("The command is empty or holds a NUL character.")
        assert isinstance(seconds, int)
        background, network = given.get("background") is True, given.get("network") is True
        confining = context.confining
        access = confining.plan_access(network=network) if confining else None
        outside = access is not None and given.get("unconfined") is True
        if outside:
            if context.own_folder is not None:
                raise ToolFailed(APART)
            access = None
        less = confining.less() if confining else None
        why = _why_each_time(access, less, context, outside=outside)
        confinement = confining.confinement(access) if confining else UNCONFINED
        how = _how(given, outside=outside)
        place = _place(access, confinement.rung, background=background, network=network)
        if context.own_folder is not None:
            # In the folder itself a command does something else.
            place = f"{place}+worktree"
        return Intent(
            title=f"{how} {whole_line(command)}",
            ask=True,
            # Nothing that was allowed inside the sandbox is allowed outside, or in a lesser one.
            approval="" if why else f"shell:{place}:{seconds}:{command}",
            covers="exactly this command",
            why_each_time=why,
            lasting=_lasting(command, access, context, background=background),
            command=visible(command),
            how=how,
            locations=(Location(context.root),),
            confinement=confinement,
            plan=ShellPlan(
                command=command,
                seconds=seconds,
                background=background,
                access=access,
                rung=confinement.rung,
            ),
        )

    async def run(self, intent: Intent[ShellPlan], context: CallContext) -> Outcome:
        """Run the command to its end, its time limit or a cancel, then end all that it started."""
        plan = intent.plan
        running = await self._processes.start(plan.command, context, _confine(plan, context))
        try:
            if plan.background:
                ended = await running.wait(_FIRST_SECONDS)
            else:
                context.lend_output(running.output_so_far)
                ended = await _stream_output(running, plan.seconds, context.hear_output)
        except asyncio.CancelledError:
            await running.end(at_once=True)
            raise
        if ended is not None:
            _look_again(ended, context)
            return await _outcome(running, ended, [])
        if plan.background:
            return await _still_running(running, self._processes.keep(running))
        ended = await running.end()
        return await _outcome(running, ended, [f"[ended after {plan.seconds} s: time limit]"])


def _why_each_time(
    access: Access | None, less: str | None, context: CallContext, *, outside: bool
) -> str | None:
    """Return why no answer for the session covers a command, for people; None: one does."""
    if outside:
        return OUTSIDE_WHY
    return APART_WHY if access is None and context.own_folder is not None else less


def _lasting(
    command: str, access: Access | None, context: CallContext, *, background: bool
) -> tuple[PermissionScope, ...]:
    """Return the permissions to offer for a command; none without a sandbox or with network."""
    if access is None or access.network:
        return ()
    writable = (context.root, access.caches, *access.writable)
    places = CommandPlaces(context.root, writable, context.environment.get("PATH", ""))
    found = command_scopes(command, places, background=background)
    return () if isinstance(found, NotLasting) else found


async def _stream_output(
    running: RunningCommand, seconds: float, hear: Callable[[str], None]
) -> Ended | None:
    """Wait for a command's end, up to a time limit, and report its output meanwhile."""
    telling = asyncio.ensure_future(tell_output(running, hear))
    try:
        return await running.wait(seconds)
    finally:
        telling.cancel()
        await asyncio.wait([telling])


def _confine(plan: ShellPlan, context: CallContext) -> Confine | None:
    if context.confining is None or plan.access is None:
        return None
    return partial(context.confining.confine, access=plan.access, shown=plan.rung)


def _place(access: Access | None, rung: Rung, *, background: bool, network: bool) -> str:
    """Return the approval key for the way in which a command is run, such as with network."""
    reach = "network" if network or (access is not None and access.network) else None
    if reach is None and access is not None and access.registries is not None:
        reach = "registries"
    lesser = None if rung in ("bubblewrap", "none") else rung
    return "+".join(filter(None, ("background" if background else "foreground", reach, lesser)))


def _how(given: Arguments, *, outside: bool) -> str:
    """Write the words in front of a shown command that say how it is run."""
    seconds = given.get("timeout", DEFAULT_SECONDS)
    words = (
        "Run",
        "outside the sandbox" if outside else "",
        "in the background" if given.get("background") is True else "",
        "with network" if given.get("network") is True else "",
        f"for at most {seconds} s" if seconds != DEFAULT_SECONDS else "",
    )
    return " ".join(filter(None, words))


class ShellRead:
    """Returns a background command's output since the last reading."""

    schema: ToolSchema = ToolSchema(
        "shell_read",
        "Read new output of a background command.",
        {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
    )
    traits: ToolTraits = ToolTraits(kind="execute", verb="Read output of", subject="id", weight=65)
    reading: bool = True

    def __init__(self, processes: Processes) -> None:
        self._processes = processes

    def prepare(self, arguments: Arguments, context: CallContext) -> Intent[str]:
        """Find the background command by its id; no person is asked, as reading changes nothing."""
        name = str(check_arguments(self.schema, arguments)["id"])
        running = self._processes.get(name)
        return Intent(
            title=f"Read output of {running.command}",
            ask=False,
            approval=f"shell_read:{name}",
            locations=(Location(context.root),),
            plan=name,
        )

    async def run(self, intent: Intent[str], context: CallContext) -> Outcome:
        """Return the command's new output, after waiting for it up to two seconds."""
        running = self._processes.get(intent.plan)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(running.news.wait(), _NEWS_SECONDS)
        # Also where the time is up: it may have ended in that moment.
        ended = running.ended
        if ended is not None:
            _look_again(ended, context)
            return await _outcome(running, ended, [])
        return await _still_running(running, intent.plan)


def _look_again(ended: Ended, context: CallContext) -> None:
    """Probe for a sandbox again, if a command could not be started in the one found before."""
    if not ended.begun and context.confining is not None:
        context.confining.probing.look_again()


async def _outcome(running: RunningCommand, ended: Ended, notes: list[str]) -> Outcome:
    output = (await running.new_output()).rstrip("\n")
    guessed = held_back(running.last_output, ended.code, running.access)
    kept_out = ended.code != 0 and any(is_kept_out(one) for one in ended.refused)
    held: HeldBack | None = "network" if kept_out else guessed
    # What is known needs no guess.
    told = [f"[{guess_text(held, running.access)}]"] if held and not kept_out else []
    lines = [output or "[no output]", *notes, *told, *_end_notes(ended)]
    return Outcome(
        text="\n".join(lines),
        failed=ended.code != 0,
        exit_code=ended.code,
        ended=CallEnd.RAN if ended.begun else CallEnd.NOT_RUN,
        held_back=held,
    )


async def _still_running(running: RunningCommand, name: str) -> Outcome:
    running.news.clear()
    output = (await running.new_output()).rstrip("\n")
    note = f"[running in the background; id: {name}]"
    refused = (f"[{refusal_text(one)}]" for one in running.new_refused())
    moved = (
        f"[{one.describe()}; the user is asked when the command ends]"
        for one in running.new_moved()
    )
    notes = (*refused, *moved, note)
    return Outcome(text="\n".join([output or "[no new output]", *notes]))


def _end_notes(ended: Ended) -> Iterator[str]:
    if ended.left:
        left = plural(ended.left, "process", "processes")
        yield f"[ended {left} that it left running; set background to keep one]"
    yield from (f"[{refusal_text(one)}]" for one in ended.refused)
    yield from (f"[{line}]" for line in ended.remains)
    if ended.limit is not None:
        yield f"[ended: {_TOO_MUCH[ended.limit]}]"
    if not ended.begun:
        yield "[nothing of it was run: its sandbox could not be started]"
    yield exit_note(ended.code)
