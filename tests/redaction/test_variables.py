import json

import pytest

from plimsoll.redaction.secrets import Secrets
from plimsoll.redaction.variables import secrets_of
from plimsoll.tools.process.environment import child_environment

SECRET = "s3cr3t-Value-0042"
NAMES = [
    "NPM_AUTH",
    "MY_PASS",
    "MYSQL_PWD",
    "ADO_PAT",
    "JWT",
    "BEARER",
    "STRIPE",
    "REDISCLI_AUTH",
    "TEAMS_WEBHOOK",
    "AZURE_STORAGE_CONNECTION_STRING",
    "SENTRY_DSN",
    "PGPASSWORD",
    "SESSION_COOKIE",
    "SECRET_KEY_BASE",
]


@pytest.mark.parametrize("name", NAMES)
def test_what_children_do_not_get_is_replaced_in_texts(name: str):
    variables = {name: SECRET}

    assert name not in child_environment(variables)
    assert SECRET not in Secrets(secrets_of(variables))(f"it was {SECRET}, it said")


@pytest.mark.parametrize(
    ("value", "part"),
    [
        (f"postgres://ann:{SECRET}@host/db", SECRET),
        ("mysql://ann:p%40ss-w0rd@host", "p@ss-w0rd"),
        (f"ann:{SECRET}@tcp(host)/db", SECRET),
        (f"Endpoint=sb://x/;SharedAccessKey={SECRET};", SECRET),
        (f"Bearer {SECRET}", SECRET),
        (json.dumps({"auths": {"registry": {"auth": SECRET}}}), SECRET),
    ],
)
def test_the_password_within_a_value_is_a_secret_of_its_own(value: str, part: str):
    redact = Secrets(secrets_of({"DOCKER_AUTH_CONFIG": value}))

    assert part not in redact(f"-p {part} {value}")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PWD", "/home/ann/project"),
        ("GOOGLE_APPLICATION_CREDENTIALS", "/home/ann/key.json"),
        ("SSH_AUTH_SOCK", "/run/user/1000/keyring/ssh"),
        ("PGPASSFILE", "~/.pgpass"),
        ("FOO_AUTH", "required"),
        ("GIT_AUTHOR_NAME", "Ann Example"),
        ("JWT_ALGORITHM", "RS256-with-something"),
        ("MY_TOKEN", "1234567"),
    ],
)
def test_words_and_paths_of_texts_stay_as_they_are(name: str, value: str):
    assert secrets_of({name: value}) == {}


def test_a_password_that_is_a_word_is_left_in_texts_but_its_address_is_not():
    redact = Secrets(secrets_of({"DATABASE_URL": "postgres://postgres:postgres@localhost/app"}))

    assert redact("use postgres") == "use postgres"
    assert redact("at postgres://postgres:postgres@localhost/app") == "at [redacted: DATABASE_URL]"
