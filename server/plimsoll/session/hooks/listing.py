"""The hooks of a person and their last runs, in Markdown."""

from collections.abc import Iterator

from plimsoll.session.hooks.running import command_of
from plimsoll.session.state.session_state import SessionState
from plimsoll.tools.ports.hooks import DECIDED

NONE = "There are no hooks. Your own `config.toml` sets them: `[[hooks.PreToolUse]]`, `command`."
UNTRUSTED = "You have not trusted this folder: no hook runs in it."


def hooks_markdown(state: SessionState) -> str:
    """List the hooks in the order in which they run, then the last runs of this session."""
    return "\n".join(_lines(state))


def _lines(state: SessionState) -> Iterator[str]:
    own = state.environment
    hooks = own.rules().hooks
    if not hooks:
        yield NONE
        return
    yield "Your hooks:"
    yield ""
    for hook in hooks:
        about = f" for `{state.redact(hook.matcher)}`" if hook.matcher else ""
        yield f"- {hook.event}{about}: `{command_of(hook, state)}`, at most {hook.seconds:g} s"
    if not own.trusted():
        yield ""
        yield UNTRUSTED
    runs = state.hooks.runs
    if runs:
        yield ""
        yield "The last runs, the newest first:"
        yield ""
    for ran in reversed(runs):
        decided = f" {DECIDED[ran.decision]}" if ran.decision else ""
        yield f"- {ran.event}: `{ran.name}`{decided}, {ran.milliseconds:,} ms"
