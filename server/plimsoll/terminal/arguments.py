"""The arguments of the command line."""

import re
from argparse import REMAINDER, SUPPRESS, ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from typing import Any

from plimsoll import __version__

DESCRIPTION = (
    "Runs an AI agent in a folder and keeps its context window inside the load line. "
    "`plimsoll chat` begins a conversation, `plimsoll connect` picks a model for it. "
    "Started without a command by an editor, it is the language server."
)
MODES = ("edit", "plan", "ask")
DIALECTS = ("openai", "anthropic", "openai-responses")
# Written down: the server parses its arguments too, and answers `initialize` without the settings.
PROFILE_NAMES = ("default", "long-refactoring", "large-codebase", "small-local-model", "cheap")
LATEST = "latest"
"""The session to go on with that is no id."""


_SERVER = (
    "the server's address, postgresql://ROLE@HOST:PORT/DATABASE (default: team.url); a password in "
    "it goes into the system's keyring"
)
_SESSION = re.compile(r"s[0-9a-f]{6,}")


def parsed_arguments(given: Sequence[str] | None = None) -> Namespace:
    """Parse the command line; a usage error ends the process.

    Of ``run --resume WORDS`` the words are the prompt where there is no other: an id is not taken
    for one.
    """
    top = parser()
    options = top.parse_args(given)
    if options.command != "run":
        return options
    resumed = options.resumed
    if options.prompt is None:
        if resumed is None or resumed == LATEST or _SESSION.fullmatch(resumed):
            top.error("run: the following arguments are required: PROMPT")
        options.prompt, resumed = resumed, LATEST
    options.session = resumed or options.session
    return options


def parser() -> ArgumentParser:
    """Build the parser; ``command`` of its result names the command."""
    top = ArgumentParser(prog="plimsoll", description=DESCRIPTION)
    top.add_argument("--version", action="version", version=f"plimsoll {__version__}")
    _added_by_editors(top)
    commands = top.add_subparsers(dest="command", metavar="COMMAND")

    def command(name: str, told: str) -> ArgumentParser:
        return commands.add_parser(name, help=told, description=f"{told[0].upper()}{told[1:]}.")

    _serve(command("serve", "the language server, on standard input and output"))
    _acp(command("acp", "an agent for editors that speak the Agent Client Protocol"))
    _run(command("run", "ask once: the answer, then a line with tokens, cost and session"))
    _chat(command("chat", "a conversation, with slash commands"))
    _connect(command("connect", "connect a model: pick one, try it, save it"))
    _replay(command("replay", "show how a recorded session would be reduced"))
    _bench(command("bench", "compare policies on recorded sessions, or on your own"))
    _add_store_arguments(command("sessions", "list the sessions of a folder"))
    _one_session(command("pins", "list the pins of a session"))
    _memories(command("memories", "list or search what is remembered of a folder"))
    report = command("report", "show what the next request of a session contains")
    _one_session(report)
    report.add_argument("--detail", action="store_true", help="every item, not only the largest")
    _view(command("view", "show the context of a session in a browser on this machine"))
    _link(command("link", "keep sessions and memories of a folder that was moved"))
    _team(command("team", "share memories and pins of a folder with a team"))
    _mcp(command("mcp", "servers of the Model Context Protocol: yours, and Plimsoll as one"))
    forget = command("forget-everything", "delete all that is kept of a folder, or of all folders")
    forget.add_argument("--folder", metavar="DIR", help="that folder alone, also one that is gone")
    forget.add_argument(
        "--yes", action="store_true", help="remove it without asking; what it was is shown first"
    )
    command("schema", "the protocol as JSON Schema")
    _editor(command("editor", "print the line that loads our plugin of an editor, or install it"))
    doctor = command("doctor", "what is installed, configured and writable")
    _folder(doctor)
    doctor.add_argument(
        "--ask", action="store_true", help="send each model one small request, and say what came"
    )
    doctor.add_argument(
        "--salvage",
        action="store_true",
        help="save what can be read of the folder's damaged store into a new one",
    )
    doctor.add_argument(
        "--editors",
        action="store_true",
        help="which editors are here, which line connects each, and whether it is answered",
    )
    return top


def _editor(one: ArgumentParser) -> None:
    one.add_argument("name", metavar="NAME", help="the editor: nvim or emacs")
    one.add_argument(
        "--install", action="store_true", help="write the line where the editor reads it, and ask"
    )
    one.add_argument("--yes", action="store_true", help="write it without asking; it is shown")


def _serve(one: ArgumentParser) -> None:
    one.add_argument("--tcp", metavar="HOST:PORT", help="listen on a loopback address, to debug")
    _trace(one)
    _config(one)
    _added_by_editors(one)


def _acp(one: ArgumentParser) -> None:
    one.add_argument(
        "action",
        nargs="?",
        choices=["connect"],
        metavar="connect",
        help="connect a model instead, in a terminal: editors offer it as a login",
    )
    _trace(one)
    _config(one)


def _added_by_editors(one: ArgumentParser) -> None:
    one.add_argument("--stdio", action="store_true", help=SUPPRESS)
    one.add_argument("--clientProcessId", dest="client_process_id", help=SUPPRESS)


def _config(one: ArgumentParser, default: str | None = None) -> None:
    one.add_argument(
        "--config",
        metavar="FILE",
        default=default,
        help="a further settings file, read after config.toml",
    )
    one.add_argument(
        "--profile",
        default=default,
        choices=PROFILE_NAMES,
        metavar="NAME",
        help=f"settings for a kind of work: {', '.join(PROFILE_NAMES)}",
    )


def _trace(one: ArgumentParser) -> None:
    told = "append what is done and how long it takes to this file, as JSON lines, without any text"
    one.add_argument("--trace", metavar="FILE", help=told)


def _folder(one: ArgumentParser) -> None:
    one.add_argument(
        "--workspace", metavar="DIR", default=".", help="the folder to work in (default: this one)"
    )
    _config(one)


def _folder_again(one: ArgumentParser) -> None:
    """Take the folder behind a further word too; what was named before that word stays."""
    one.add_argument("--workspace", metavar="DIR", default=SUPPRESS, help="the folder to work in")
    _config(one, SUPPRESS)


def _turns(one: ArgumentParser) -> None:
    _folder(one)
    one.add_argument("--mode", choices=MODES, help="edit: all tools; plan: reading ones; ask: none")
    one.add_argument("--model", metavar="PROVIDER/NAME", help="the model to ask")
    one.add_argument(
        "--auto-approve", action="store_true", help="allow every change and command unasked"
    )
    one.add_argument(
        "--accept-address",
        action="store_true",
        help="send the session to the address that is set now, though it went to another so far",
    )
    _trace(one)


def _run(one: ArgumentParser) -> None:
    _turns(one)
    which = one.add_mutually_exclusive_group()
    which.add_argument(
        "--continue", dest="resume", action="store_true", help="go on in the latest session"
    )
    which.add_argument(
        "--resume",
        dest="resumed",
        nargs="?",
        const=LATEST,
        metavar="ID",
        help="go on in this session, or in the latest",
    )
    _named_session(which, "--session")
    one.add_argument("--report", action="store_true", help="print the tables of the context too")
    one.add_argument("--json", action="store_true", help="print events, one JSON object a line")
    said = "what to say, in which @FILE attaches a file; - reads standard input"
    one.add_argument("prompt", metavar="PROMPT", nargs="?", help=said)


def _chat(one: ArgumentParser) -> None:
    _turns(one)
    which = one.add_mutually_exclusive_group()
    which.add_argument(
        "--continue", dest="resume", action="store_true", help="go on in the latest session"
    )
    which.add_argument(
        "--resume",
        dest="session",
        nargs="?",
        const=LATEST,
        metavar="ID",
        help="go on in this session, or in the latest",
    )
    _named_session(which, "--session")


def _named_session(one: Any, *names: str) -> None:
    one.add_argument(*names, dest="session", metavar="ID", help="go on in this session")


def _connect(one: ArgumentParser) -> None:
    one.add_argument("--provider", choices=DIALECTS, help="the dialect it speaks")
    one.add_argument("--base-url", metavar="URL", help="its address, up to and with the version")
    one.add_argument("--model", metavar="NAME", help="the model, as the server calls it")
    key = one.add_mutually_exclusive_group()
    key.add_argument("--key-env", metavar="VARIABLE", help="the variable that holds the key")
    key.add_argument(
        "--keyring", action="store_true", help="read the key, and keep it in the system's keyring"
    )
    one.add_argument("--context-window", type=_window, metavar="N", help="tokens that it holds")
    one.add_argument("--no-test", action="store_true", help="save it without a test")


def _replay(one: ArgumentParser) -> None:
    one.add_argument("file", metavar="FILE", help="a recorded session or an exported log, or .gz")
    one.add_argument("--window", type=_window, metavar="N", help="tokens of the window")
    one.add_argument("--report", action="store_true", help="print the report at the end")
    one.add_argument("--json", action="store_true", help="print one JSON object a line")
    _config(one)


def _bench(one: ArgumentParser) -> None:
    one.add_argument("files", metavar="FILE", nargs="*", help="recorded sessions, or .gz")
    one.add_argument("--mine", action="store_true", help="your sessions with Plimsoll")
    one.add_argument("--claude-code", action="store_true", help="your transcripts of Claude Code")
    one.add_argument("--codex", action="store_true", help="your transcripts of Codex")
    one.add_argument("--window", type=_window, metavar="N", help="tokens of the window")
    one.add_argument("--html", metavar="PAGE", help="write the comparison as one HTML file")
    _config(one)


def _add_store_arguments(one: ArgumentParser) -> None:
    _folder(one)
    one.add_argument("--json", action="store_true", help="print one JSON object a line")


def _memories(one: ArgumentParser) -> None:
    _add_store_arguments(one)
    one.add_argument("query", metavar="QUERY", nargs="?", help="what to search for")
    one.add_argument("--inbox", action="store_true", help="what waits for your review, whole")
    one.add_argument("--export", action="store_true", help="print all of them as Markdown")
    one.add_argument(
        "--import", metavar="FILE", dest="import_from", help="import an export into the inbox"
    )


def _link(one: ArgumentParser) -> None:
    _folder(one)
    one.add_argument("source", metavar="FROM", help="the path at which the folder was before")


def _team(one: ArgumentParser) -> None:
    actions = one.add_subparsers(dest="action", metavar="ACTION", required=True)

    def action(name: str, told: str) -> ArgumentParser:
        made = actions.add_parser(name, help=told, description=f"{told[0].upper()}{told[1:]}.")
        _folder(made)
        return made

    create = action("create", "make a project at a server, and share in it with this folder")
    create.add_argument("name", metavar="NAME", help="the project's name")
    create.add_argument(
        "--write-project-file",
        action="store_true",
        help="write .plimsoll/project, by which the folder suggests the project to others",
    )
    join = action("join", "take part in a project with this folder")
    join.add_argument(
        "name", metavar="NAME", nargs="?", help="the project (default: what the folder suggests)"
    )
    for made in (create, join):
        made.add_argument("url", metavar="URL", nargs="?", help=_SERVER)
    action("leave", "take part no more; what is your own stays")
    status = action("status", "how it stands with the team")
    status.add_argument("--json", action="store_true", help="print one JSON object")
    accept = action("accept", "let what a colleague shares take effect at once")
    accept.add_argument("author", metavar="AUTHOR", help="the colleague's role at the server")
    _members(action("members", "who takes part, and adding or removing somebody"))
    export = action("export", "print what the project has, one JSON object a line")
    export.add_argument(
        "--local", action="store_true", help="the folder's own store instead of the server"
    )
    export.add_argument("--sessions", action="store_true", help="your own sessions too")
    taken = action("import", "take an export into this folder, which shares its own part of it")
    taken.add_argument("file", metavar="FILE", help="the file of an export")
    taken.add_argument(
        "--all",
        dest="everybody",
        action="store_true",
        help="also what colleagues wrote: it waits for your review",
    )
    action("doctor", "what is wrong between this folder and the team's server")


def _mcp(one: ArgumentParser) -> None:
    actions = one.add_subparsers(dest="action", metavar="ACTION", required=True)

    def action(name: str, told: str) -> ArgumentParser:
        return actions.add_parser(name, help=told, description=f"{told[0].upper()}{told[1:]}.")

    add = action("add", "add a server, whose tools the agent may ask to use")
    told = "a variable that it gets; NAME alone: your own of that name (repeatable)"
    add.add_argument("--env", metavar="NAME[=VALUE]", action="append", default=[], help=told)
    told = "a header of each request to its address (repeatable)"
    add.add_argument("--header", metavar="NAME:VALUE", action="append", default=[], help=told)
    told = "for a login at its address, the id of an app that you registered there"
    add.add_argument("--client-id", metavar="ID", default="", help=told)
    told = "the variable of yours that holds the secret of that app"
    add.add_argument("--client-secret-env", metavar="NAME", default="", help=told)
    add.add_argument("name", metavar="NAME", help="its name: letters, digits, - and _")
    told = "the program to start and its arguments, or the address"
    add.add_argument("target", metavar="COMMAND|URL", nargs=REMAINDER, help=told)
    listed = action("list", "list your servers")
    listed.add_argument("--json", action="store_true", help="print one JSON object a line")
    _config(listed)
    remove = action("remove", "take a server out of your settings")
    remove.add_argument("name", metavar="NAME", help="its name")
    taken = action("import", "take over servers of an editor or another agent, as you say")
    taken.add_argument("file", metavar="FILE", nargs="?", help="such as .mcp.json; none: list them")
    taken.add_argument("name", metavar="NAME", nargs="*", help="those alone (default: all)")
    taken.add_argument("--yes", action="store_true", help="without asking about each")
    _folder(taken)
    _folder(
        action("serve", "give another agent what is known of a folder: memories, pins, sessions")
    )


def _members(one: ArgumentParser) -> None:
    one.add_argument("--json", action="store_true", help="print one JSON object a line")
    changes = one.add_subparsers(dest="change", metavar="CHANGE")
    add = changes.add_parser("add", help="let a role of the server take part, or change its rights")
    add.add_argument("role", metavar="ROLE", help="the role")
    rights = add.add_mutually_exclusive_group()
    for flag, named, told in (
        ("--read-only", "read", "it may only read"),
        ("--admin", "admin", "it may change the members too"),
    ):
        rights.add_argument(
            flag, dest="rights", action="store_const", const=named, default="write", help=told
        )
    remove = changes.add_parser("remove", help="let a role take part no more")
    remove.add_argument("role", metavar="ROLE", help="the role")
    remove.add_argument(
        "--with-what-they-wrote",
        action="store_true",
        help="also remove what it has shared, for everybody and for good",
    )
    for made in (add, remove):
        _folder_again(made)


def _one_session(one: ArgumentParser) -> None:
    _add_store_arguments(one)
    one.add_argument("--session", metavar="ID", help="the session (default: the latest)")
    one.set_defaults(resume=True)


def _view(one: ArgumentParser) -> None:
    _folder(one)
    one.add_argument("--session", metavar="ID", help="the session (default: the latest)")
    one.add_argument("--open", action="store_true", help="open the browser, not only the address")
    one.set_defaults(resume=True)


def _window(text: str) -> Any:
    try:
        window = int(text.replace(",", "").replace("_", ""))
    except ValueError as error:
        raise ArgumentTypeError(f"{text!r} is not a number of tokens") from error
    # Loaded late: the server parses its arguments too, and answers `initialize` without the core.
    from plimsoll.context.budget import LEAST_WINDOW

    if window < LEAST_WINDOW:
        raise ArgumentTypeError(f"a window has at least {LEAST_WINDOW:,} tokens")
    return window
