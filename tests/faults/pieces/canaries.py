"""Canary secrets: none of them stands in anything that is written or sent.

A secret comes in as the key of the provider, in the server's environment, or from the client. It
comes back in whatever way a text can: echoed by the provider, split over chunks, encoded, printed
by a command, in an error. Looked through: the store and all files, the log at its most talkative,
every message to the client, and every request but its own header.
"""

import base64
import json
import random
import string
from collections.abc import Iterator
from urllib.parse import quote

from faults.answers import Dialect
from faults.piece import Piece, Run, fail
from faults.server import Mortal, started
from providers.fault_server import FaultServer, Reply, document, running, stream

VARIABLES = (
    "OPENAI_API_KEY", "MYSQL_PWD", "NPM_AUTH", "JWT", "REDISCLI_AUTH", "ADO_PAT", "BEARER",
    "MY_PASS", "HTTP_AUTHORIZATION", "AZURE_STORAGE_CONNECTION_STRING", "DOCKER_AUTH_CONFIG",
    "AWS_SECRET_ACCESS_KEY", "SLACK_WEBHOOK_URL", "SENTRY_DSN", "DATABASE_URL", "GITHUB_TOKEN",
    "DB_PASSWORD", "SECRET_KEY_BASE",
)  # fmt: skip


def run(found: Run) -> None:
    for number, chance in found.each():
        with found.case(number):
            one(found, number, chance)


def one(found: Run, number: int, chance: random.Random) -> None:
    dialect = Dialect(chance.choice(["openai", "anthropic"]))
    variable = chance.choice(VARIABLES)
    key, own = secret(chance, "openai"), secret(chance, variable)
    home = found.folder / str(number)
    with running() as provider:
        vendor = f"{dialect.name.upper()}_API_KEY"
        settings = {
            "PLIMSOLL_MODEL__PROVIDER": dialect.name,
            "PLIMSOLL_MODEL__NAME": "some-model",
            "PLIMSOLL_MODEL__CONTEXT_WINDOW": "100000",
            "PLIMSOLL_MODEL__BASE_URL": provider.url,
            "PLIMSOLL_LOG": "debug",
            vendor: key,
        }
        if variable != vendor:
            settings[variable] = own
        secrets = [key, own] if variable != vendor else [key]
        traced = ("-m", "plimsoll", "serve", "--trace", str(home / "trace.jsonl"))
        home.mkdir(parents=True)
        with started(home, None, traced, **settings) as server:
            server.open()
            session = server.new_session()
            for said, replies in leaks(dialect, chance, secrets, variable):
                provider.replies[:] = [*replies, dialect.good()]
                server.update("turnEnded", server.prompt(session, said))
            for method in ("plimsoll/context/export", "plimsoll/session/view"):
                server.call(method, {"sessionId": session})
            server.call("shutdown")
            server.notify("exit")
            server.wait_closed()
            look(server, provider, secrets, dialect.name)
    found.count("canaries", len(secrets))


def secret(chance: random.Random, variable: str) -> str:
    random_part = "".join(chance.choices(string.ascii_letters + string.digits, k=32))
    match variable:
        case "DATABASE_URL" | "SENTRY_DSN":
            return f"postgres://app:{random_part}@db.example.org/app"
        case "SLACK_WEBHOOK_URL":
            return f"https://hooks.slack.com/services/T0/B0/{random_part}"
        case "DOCKER_AUTH_CONFIG":
            return json.dumps({"auths": {"example.org": {"auth": random_part}}})
        case "AZURE_STORAGE_CONNECTION_STRING":
            return f"AccountName=x;AccountKey={random_part}"
        case _:
            return random_part


def leaks(
    dialect: Dialect, chance: random.Random, secrets: list[str], variable: str
) -> Iterator[tuple[str, list[Reply]]]:
    """Say something, and answer with the secret in one way or another."""
    for known in secrets:
        form = chance.choice(list(forms(known)))
        call = ("c1", "shell", json.dumps({"command": f"printenv {variable}; echo x{form}y"}))
        write = ("c2", "file_write", json.dumps({"path": "kept.txt", "content": f"a {form} b"}))
        text = "".join(dialect_text(dialect, f"It is {form}, you see."))
        yield f"My key is {form}", [dialect.good()]
        yield "Say it.", [stream([text.encode()])]
        yield "Say it slowly.", [split(dialect, form, chance)]
        yield "Run it.", [stream(b"".join(dialect.events("Now.", [call], "tool_calls")))]
        yield "Write it.", [stream(b"".join(dialect.events("", [write], "tool_calls")))]
        yield "Fail.", [document(400, {"error": {"message": f"bad key {form}"}})]
        yield "Fail again.", [stream(b"data: {" + form.encode() + b"\n\n")]


def dialect_text(dialect: Dialect, text: str) -> Iterator[str]:
    yield from (event.decode() for event in dialect.events(text, (), "stop"))


def split(dialect: Dialect, form: str, chance: random.Random) -> Reply:
    """The secret in pieces, each an event of its own."""
    at = sorted(chance.sample(range(1, len(form)), k=min(3, len(form) - 1)))
    pieces = [form[a:b] for a, b in zip([0, *at], [*at, len(form)], strict=True)]
    whole = dialect.events("@@", (), "stop")
    sent: list[bytes] = []
    for event in whole:
        if b"@@" in event:
            sent += [event.replace(b"@@", json.dumps(piece)[1:-1].encode()) for piece in pieces]
        else:
            sent.append(event)
    return stream(sent)


def forms(known: str) -> Iterator[str]:
    """The secret as it is, and encoded in the usual ways."""
    raw = known.encode()
    yield known
    yield known
    for before in ("", "u", "us"):
        yield base64.b64encode(before.encode() + raw).decode()
    yield base64.urlsafe_b64encode(raw).decode()
    yield raw.hex()
    yield quote(known, safe="")


def traces(known: str) -> set[str]:
    """Texts of which each would give the secret away."""
    raw, found = known.encode(), {known, known.encode().hex(), quote(known, safe="")}
    for lead in range(3):
        encoded = base64.b64encode(b"\0" * lead + raw).decode().rstrip("=")
        # The first characters depend on what stands before it, the last on what follows.
        found.add(encoded[4 if lead else 0 : -4])
    return found | {json.dumps(each)[1:-1] for each in found}


def look(server: Mortal, provider: FaultServer, secrets: list[str], name: str) -> None:
    """Look through everything that was written or sent."""
    places = {
        "to the client": json.dumps(list(server.messages), ensure_ascii=False),
        "in the log": server.stderr_at_end(),
    }
    for number, body in enumerate(provider.bodies):
        places[f"in request {number}"] = body.decode("utf-8", "replace")
    for path in server.home.rglob("*"):
        if path.is_file() and server.workspace not in path.parents:
            places[str(path.relative_to(server.home))] = path.read_bytes().decode("latin-1")
    leaked = sorted(
        f"{where}: …{text[max(text.index(trace) - 40, 0) : text.index(trace)]}[{trace[:6]}…]"
        for known in secrets
        for trace in traces(known)
        for where, text in places.items()
        if trace in text
    )
    if leaked:
        fail(f"{name}: {len(leaked)} leaks, such as {leaked[:4]}")


PIECE = Piece(run=run, short=4, full=40)
