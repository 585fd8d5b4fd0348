from pathlib import Path

import pytest

from plimsoll.tools.process.environment import child_environment

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
    "MYSQL_PWD",
    "NPM_AUTH",
    "JWT",
    "REDISCLI_AUTH",
    "ADO_PAT",
    "HTTP_AUTHORIZATION",
    "MY_PASS",
    "SSHPASS",
    "AZURE_STORAGE_CONNECTION_STRING",
    "ConnectionStrings__Default",
    "DOCKER_AUTH_CONFIG",
    "STRIPE",
    "BEARER",
    "SLACK_WEBHOOK",
    "DEPLOY_WEBHOOK_URL",
    "GITHUBTOKEN",
    "MASTERKEY",
    "DB_CREDS",
    "PG_DSN",
    "WALLET_MNEMONIC",
    "Secret_Thing",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_KEY_0",
    "GIT_CONFIG_VALUE_0",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_PARAMETERS",
    "GIT_SSH_COMMAND",
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
    "OLDPWD",
    "XAUTHORITY",
    "GIT_AUTHOR_NAME",
    "GIT_AUTHOR_EMAIL",
    "GIT_COMMITTER_DATE",
    "KEYBOARD_LAYOUT",
    "GNOME_KEYRING_CONTROL",
    "GPG_KEY",
    "XDG_SESSION_ID",
    "XDG_RUNTIME_DIR",
    "DBUS_SESSION_BUS_ADDRESS",
    "TOKENIZERS_PARALLELISM",
    "COOKIECUTTER_CONFIG",
    "MANPATH",
    "POSIXLY_COMPAT",
    "PATTERN",
    "COMPASS",
    "INIT_PWD",
    "JWT_ALGORITHM",
    "MAX_TOKENS_COUNT",
    "AUTH_URL",
    "COLORTERM",
    "LESSKEY",
    "CONDA_PREFIX",
    "SALTED",
    "PASSENGER_APP_ENV",
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
        "https://hooks.slack.com/services/T0/B0/abc",
        "https://discord.com/api/webhooks/1/abc",
        "root:hunter2@tcp(db:3306)/app",
        "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=Zm9vYmFy==;",
        "https://a.blob.core.windows.net/c?sv=2024&sig=0123456789abc",
        "Bearer 0123456789abcdef",
        "npm_0123456789abcdefghij",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
    ],
)
def test_a_secret_is_known_by_its_value(value):
    assert "INNOCENT" not in child_environment({"INNOCENT": value})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PIP_INDEX_URL", "https://pypi.org/simple"),
        ("DB_HOST", "postgres://host/db"),
        ("MAX_TOKENS", "4096"),
        ("REQUIRE_AUTH", "true"),
        ("LSP_PWD", "/home/ann/project"),
        ("SUDO_COMMAND", "/usr/bin/env PWD=/home/ann make"),
        ("LS_COLORS", "rs=0:di=01;34:ln=01;36:*.tar=01;31"),
        ("SSH_CONNECTION", "10.0.0.1 50000 10.0.0.2 22"),
        ("LANGUAGE", "sk_SK.UTF-8:sk-SK-latin"),
        ("NOTE", "basic authentication of the task-force"),
        ("GLIBC", "glibc-2.39-0ubuntu8"),
    ],
)
def test_a_value_that_holds_no_secret_goes_on(name: str, value: str):
    assert child_environment({name: value})[name] == value


def test_programs_are_told_that_nobody_watches():
    given = {"TERM": "xterm", "PAGER": "less", "EDITOR": "vim", "GIT_EDITOR": "code --wait"}
    told = child_environment(given)
    assert (told["TERM"], told["PAGER"], told["GIT_TERMINAL_PROMPT"]) == ("dumb", "cat", "0")
    assert {told[name] for name in ("GIT_ASKPASS", "SSH_ASKPASS", "SUDO_ASKPASS")} == {"false"}
    assert "vim" not in told["EDITOR"]
    assert told["EDITOR"] == told["VISUAL"]
    assert told["EDITOR"] in told["GIT_EDITOR"]
    assert "code --wait" not in told["GIT_EDITOR"]


def test_a_person_gives_back_what_steers_programs_and_no_secret():
    given = {"PYTHONPATH": "lib", "EDITOR": "vim", "NODE_OPTIONS": "x", "API_TOKEN": "t0k3n-t0k3n"}
    told = child_environment(given, ("PYTHONPATH", "EDITOR", "API_TOKEN", "NOT_THERE"))
    kept = {name: told[name] for name in (*given, "NOT_THERE") if name in told}
    assert kept == {"PYTHONPATH": "lib", "EDITOR": "vim"}


def test_of_the_folders_of_libraries_those_of_no_workspace_stay(tmp_path: Path):
    workspace, outside = tmp_path / "work", tmp_path / "cuda"
    (workspace / "lib").mkdir(parents=True)
    outside.mkdir()
    (tmp_path / "link").symlink_to(workspace / "lib")
    folders = ("lib", "", str(workspace), f"{outside}/../work/lib", str(tmp_path / "link"))
    given = {"LD_LIBRARY_PATH": ":".join((*folders, str(outside), f"{workspace}-other"))}
    told = child_environment(given, workspace=str(workspace))
    assert told["LD_LIBRARY_PATH"] == f"{outside}:{workspace}-other"
    assert "LD_LIBRARY_PATH" not in child_environment(
        {"LD_LIBRARY_PATH": str(workspace)}, workspace=str(workspace)
    )
