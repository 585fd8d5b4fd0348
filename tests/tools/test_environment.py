import pytest

from plimsoll.tools.process.processes import child_environment

REFUSED = [
    "OPENAI_API_KEY",
    "ANTHROPIC_API_KEY",
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "GITHUB_TOKEN",
    "GH_TOKEN",
    "GITLAB_TOKEN",
    "NPM_TOKEN",
    "PYPI_TOKEN",
    "SLACK_BOT_TOKEN",
    "HF_TOKEN",
    "DB_PASSWORD",
    "PGPASSWORD",
    "PGPASSFILE",
    "MYSQL_PASSWD",
    "SSH_PASSPHRASE",
    "CLIENT_SECRET",
    "SECRET_KEY_BASE",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "GIT_CREDENTIAL_HELPER",
    "SESSION_COOKIE",
    "DATABASE_URL",
    "SENTRY_DSN",
    "my_api_key",
    "Secret_Thing",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_KEY_0",
    "GIT_CONFIG_VALUE_0",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_PARAMETERS",
    "GIT_SSH_COMMAND",
    "GIT_ASKPASS",
    "GIT_EXTERNAL_DIFF",
    "GIT_DIR",
    "GIT_EXEC_PATH",
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "LD_AUDIT",
    "DYLD_INSERT_LIBRARIES",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "PYTHONHOME",
    "BASH_ENV",
    "ENV",
    "SHELLOPTS",
    "PROMPT_COMMAND",
    "PS4",
    "BASH_FUNC_ls%%",
    "NODE_OPTIONS",
    "PERL5LIB",
    "RUBYOPT",
    "JAVA_TOOL_OPTIONS",
    "LESSOPEN",
    "SSH_ASKPASS",
    "HTTP_PROXY",
    "https_proxy",
    "ALL_PROXY",
    "no_proxy",
    "VSCODE_IPC_HOOK_CLI",
    "ELECTRON_RUN_AS_NODE",
    "PLIMSOLL_MODEL__PROVIDER",
    "NPM_CONFIG_REGISTRY",
]
KEPT = [
    "PATH",
    "HOME",
    "USER",
    "LANG",
    "LC_ALL",
    "PWD",
    "SHELL",
    "TMPDIR",
    "VIRTUAL_ENV",
    "SSH_AUTH_SOCK",
    "GOPATH",
]


@pytest.mark.parametrize("name", REFUSED)
def test_a_child_does_not_get(name):
    assert name not in child_environment({name: "x"})


@pytest.mark.parametrize("name", KEPT)
def test_a_child_gets(name):
    assert child_environment({name: "/x"})[name] == "/x"


@pytest.mark.parametrize(
    "value",
    [
        "postgres://user:hunter2@host/db",
        "sk-abcdefghijklmnopqrstuvwx",
        "ghp_0123456789abcdefghij",
        "-----BEGIN RSA PRIVATE KEY-----",
    ],
)
def test_a_secret_is_known_by_its_value(value):
    assert "INNOCENT" not in child_environment({"INNOCENT": value})


def test_programs_are_told_that_nobody_watches():
    assert child_environment({"TERM": "xterm", "PAGER": "less"}) == {
        "TERM": "dumb",
        "NO_COLOR": "1",
        "PAGER": "cat",
        "GIT_PAGER": "cat",
        "GIT_TERMINAL_PROMPT": "0",
    }
