"""The environment of child processes: no secret, and nothing that makes programs run other code."""

import re
from collections.abc import Mapping

_SECRET_NAME = re.compile(
    r"KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|PASSFILE|CREDENTIAL|COOKIE|DATABASE_URL|DSN$"
)
# Loaders, interpreters and git run or configure what these say; proxies send traffic elsewhere.
_STEERING_NAME = re.compile(
    r"(LD_|DYLD_|PYTHON|GIT_CONFIG|BASH_FUNC_|PLIMSOLL_|VSCODE_|ELECTRON_|PERL5|RUBY|NPM_CONFIG_)"
    r"|(BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS4|IFS|CDPATH|GLOBIGNORE|NODE_OPTIONS"
    r"|NODE_PATH|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|LESSOPEN|LESSCLOSE|EDITOR"
    r"|VISUAL|BROWSER|SSH_ASKPASS|SUDO_ASKPASS"
    r"|GIT_(ASKPASS|SSH|SSH_COMMAND|EDITOR|SEQUENCE_EDITOR|EXTERNAL_DIFF|PROXY_COMMAND"
    r"|EXEC_PATH|TEMPLATE_DIR|DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY))$"
    r"|.*_PROXY$"
)
# A password inside an address, and the beginnings of well-known kinds of keys.
_SECRET_VALUE = re.compile(
    r"://[^/\s:@]*:[^/\s@]+@"
    r"|\b(sk-|gh[pousr]_|github_pat_|glpat-|xox[abprs]-|AKIA|ASIA|AIza|ya29\.|hf_)[A-Za-z0-9_-]{12}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY"
)
_SET = {
    "TERM": "dumb",
    "NO_COLOR": "1",
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
}


def child_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """What a command or a search program gets of the server's own environment.

    Names count in any case. Proxy settings go too: a command that needs one names it where a
    person can see it.
    """
    kept = {name: value for name, value in environment.items() if _is_kept(name, value)}
    return {**kept, **_SET}


def _is_kept(name: str, value: str) -> bool:
    upper = name.upper()
    if _SECRET_NAME.search(upper) or _STEERING_NAME.match(upper):
        return False
    return _SECRET_VALUE.search(value) is None
