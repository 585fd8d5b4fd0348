"""What looks like a secret and is none, made anew from a seed, in as many kinds as people write."""

import base64
import string
from collections.abc import Iterable, Iterator, Mapping
from random import Random

from memory.secrets.secret_families import (
    ALNUM,
    BASE64,
    DIGITS,
    HEX,
    LARGE,
    LOWER,
    SMALL,
    UPPER,
    Make,
    joined,
    of,
    uuid,
)

# fmt: off
WORDS = (
    "account", "adapter", "archive", "balance", "basket", "battery", "billing", "booking",
    "bridge", "budget", "builder", "cache", "calendar", "capture", "carrier", "catalog",
    "channel", "checkout", "client", "cluster", "column", "command", "compact", "config",
    "connect", "content", "context", "controller", "convert", "counter", "create", "credential",
    "cursor", "customer", "daily", "delete", "deploy", "detail", "device", "digest",
    "domain", "driver", "encode", "engine", "entity", "event", "export", "factory",
    "feature", "filter", "folder", "format", "frame", "gateway", "global", "handler",
    "header", "helper", "history", "import", "index", "input", "invoice", "item",
    "journal", "kernel", "label", "layout", "ledger", "library", "listener", "manager",
    "mapper", "memory", "message", "metric", "migrate", "model", "monitor", "network",
    "notice", "number", "object", "option", "order", "output", "package", "parser",
    "partner", "payment", "planner", "plugin", "policy", "printer", "private", "process",
    "profile", "project", "provider", "public", "query", "queue", "reader", "record",
    "region", "register", "release", "remote", "render", "report", "request", "reset",
    "resource", "result", "review", "router", "runtime", "sample", "schema", "search",
    "secret", "server", "service", "session", "setting", "shared", "signal", "source",
    "stage", "status", "storage", "stream", "string", "student", "switch", "system",
    "table", "target", "template", "tenant", "test", "token", "trace", "update",
    "user", "value", "vector", "vendor", "version", "viewer", "window", "worker",
    "writer",
)
# fmt: on


def name(chance: Random, least: int = 2, most: int = 4) -> list[str]:
    return chance.sample(WORDS, chance.randint(least, most))


def snake(chance: Random) -> str:
    return "_".join(name(chance))


def kebab(chance: Random) -> str:
    return "-".join(name(chance))


def camel(chance: Random) -> str:
    first, *rest = name(chance, 3, 5)
    return first + "".join(part.capitalize() for part in rest)


def pascal(chance: Random) -> str:
    return "".join(part.capitalize() for part in name(chance, 3, 5))


def path(chance: Random) -> str:
    folders = "/".join(
        kebab(chance) if chance.random() < 0.4 else part for part in name(chance, 2, 4)
    )
    ending = chance.choice(("py", "md", "ts", "json", "tf", "yaml"))
    return f"{folders}/{snake(chance)}-{chance.randint(1, 999):03}.{ending}"


def filler(chance: Random, size: int) -> str:
    """What people write where a token would stand."""
    return chance.choice(
        (
            chance.choice("xX0*#") * size,
            ("EXAMPLE" * 20)[:size],
            ("abcdefghijklmnopqrstuvwxyz0123456789" * 6)[:size],
            ("1234567890" * 20)[:size],
            ("ABCDEFGHIJ1234567890" * 10)[:size],
            (
                chance.choice(
                    ("your_token_here", "YOURTOKENHERE", "changeme", "redacted", "placeholder")
                )
                * 20
            )[:size],
            chance.choice("abc123XYZ") * size,
            (chance.choice(("ab", "xyz", "0a1", "deadbeef", "foobar")) * 60)[:size],
        )
    )


FORMS = (
    ("AK", "IA", 16), ("gh", "p_", 36), ("gl", "pat-", 20), ("xo", "xb-", 40), ("sk", "_live_", 24),
    ("sk", "_test_", 24), ("s", "k-proj-", 48), ("AI", "za", 35), ("np", "m_", 36), ("h", "f_", 34),
    ("hv", "s.", 90), ("da", "pi", 32), ("S", "G.", 66), ("sh", "pat_", 32), ("dop", "_v1_", 64),
    ("py", "pi-", 60), ("lin", "_api_", 40), ("wh", "sec_", 32), ("key", "-", 32), ("gs", "k_", 52),
)  # fmt: skip


def placeholder(chance: Random) -> str:
    first, second, size = chance.choice(FORMS)
    return first + second + filler(chance, size)


def sized(alphabet: str, *sizes: int) -> Make:
    return lambda chance: of(alphabet, chance.choice(sizes))(chance)


def resource(chance: Random) -> str:
    kind, label = snake(chance), snake(chance)
    return f"aws_{kind}.{label}.{chance.choice(('id', 'arn', 'secret_string', 'token'))}"


LOOK_ALIKES: Mapping[str, Make] = {
    "placeholder in a vendor's form": placeholder,
    "placeholder in an assignment": joined("TOKEN=", placeholder),
    "placeholder in a header": joined("Authorization: Bearer ", placeholder),
    "filler behind a name": lambda c: f"api_key = '{filler(c, c.randint(16, 40))}'",
    "angle brackets": lambda c: f"client_secret: <{kebab(c)}>",
    "environment": lambda c: f"password = os.environ['{snake(c).upper()}']",
    "process environment": lambda c: f"const token = process.env.{snake(c).upper()};",
    "shell variable": lambda c: f"curl -u $USER:${snake(c).upper()} https://api.example.net",
    "pipeline secret": lambda c: f"token: ${{{{ secrets.{snake(c).upper()} }}}}",
    "terraform": lambda c: f"secret_id = {resource(c)}",
    "attribute behind a name": lambda c: f"password = self.{snake(c)}.{camel(c)}",
    "call behind a name": lambda c: f"token = get{pascal(c)}(request, {c.randint(1, 9)})",
    "key behind a name": lambda c: f'secretKey: "{kebab(c)}-{c.randint(1, 9)}"',
    "snake behind a name": lambda c: f"api_key_field={snake(c)}_v{c.randint(1, 9)}",
    "method of s": lambda c: f"return s.{camel(c)}{pascal(c)}(ctx)",
    "method of b": lambda c: f"b.{camel(c)}Config{c.randint(1, 9)}Benchmark",
    "path": path,
    "path in prose": lambda c: f"The list stands in {path(c)}, see there.",
    "path behind a name": lambda c: f"private_key: {path(c)}",
    "import": lambda c: f"import {{ {pascal(c)} }} from '@{kebab(c)}/{path(c)}'",
    "class name": lambda c: f"The class {pascal(c)}{c.randint(1, 99)}{pascal(c)} is new.",
    "test name": lambda c: f"test_{snake(c)}_{c.randint(1, 400)}_{snake(c)}_{snake(c)}",
    "constant": lambda c: f"{snake(c).upper()}_{snake(c).upper()}_{c.randint(1, 256)}",
    "branch": lambda c: f"git checkout fix/{of(UPPER, 3)(c)}-{of(DIGITS, 4)(c)}-{kebab(c)}",
    "commit": lambda c: f"commit {of(HEX, 40)(c)} broke {snake(c)}",
    "commit range": lambda c: f"Updating {of(HEX, 8)(c)}..{of(HEX, 8)(c)}",
    "digest": lambda c: f"image: registry.example.net/{kebab(c)}@sha256:{of(HEX, 64)(c)}",
    "integrity": lambda c: f'"integrity": "sha512-{of(BASE64, 86)(c)}=="',
    "lock file": lambda c: (
        f"{kebab(c)}-{c.randint(0, 9)}.{c.randint(0, 20)}.0.tgz#{of(HEX, 40)(c)}"
    ),
    "go sum": lambda c: (
        f"github.com/{kebab(c)}/{kebab(c)} v1.{c.randint(0, 30)}.0 h1:{of(BASE64, 43)(c)}="
    ),
    "hash of a requirement": lambda c: f"    --hash=sha256:{of(HEX, 64)(c)} \\",
    "md5": lambda c: f"md5sum: {of(HEX, 32)(c)}  {kebab(c)}.iso",
    "uuid": lambda c: f"request {uuid(c)} timed out",
    "uuid in an address": lambda c: f"https://app.example.net/items/{uuid(c)}?tab={snake(c)}",
    "trace": lambda c: f"traceparent: 00-{of(HEX, 32)(c)}-{of(HEX, 16)(c)}-01",
    "pod": lambda c: f"pod/{kebab(c)}-{of(SMALL, 9)(c)}-{of(SMALL, 5)(c)} was evicted",
    "cloud id": lambda c: f"subnet-{of(HEX, 17)(c)} in vpc-{of(HEX, 17)(c)}",
    "arn": lambda c: f"arn:aws:iam::{of(DIGITS, 12)(c)}:role/{pascal(c)}-{kebab(c)}",
    "document": lambda c: f"https://docs.example.com/document/d/{of(ALNUM + '-_', 44)(c)}/edit",
    "video": lambda c: f"https://youtu.be/{of(ALNUM + '-_', 11)(c)}",
    "picture": lambda c: (
        f"![{snake(c)}](https://cdn.example.net/i/{of(HEX, 32)(c)}~tplv-{kebab(c)}.image)"
    ),
    "bundle": lambda c: f'<script src="/static/js/main.{of(HEX, 8)(c)}.chunk.js"></script>',
    "style": lambda c: (
        f".{kebab(c)}~.{kebab(c)}~.{kebab(c)}{{transform:translate3d(0,{c.randint(1, 99)}px,0)}}"
    ),
    "minified": lambda c: (
        f"!function(e,t){{e.{camel(c)}=t({c.randint(1, 99)}),n.{camel(c)}=r}}(this)"
    ),
    "data address": lambda c: f"url(data:image/png;base64,iVBORw0KGgo{of(BASE64, 60)(c)})",
    "public key": lambda c: f"ssh-rsa AAAAB3NzaC1yc2E{of(BASE64, 120)(c)} {kebab(c)}@host",
    "certificate": lambda c: f"-----BEGIN CERTIFICATE-----\nMIID{of(BASE64, 60)(c)}",
    "pattern": lambda c: (
        f"The form is {c.choice(('ghp_', 'npm_'))}[A-Za-z0-9]{{36}}, in {snake(c)}"
    ),
    "version": lambda c: (
        f"{kebab(c)}=={c.randint(0, 9)}.{c.randint(0, 30)}.4rc{c.randint(1, 9)}+cu121"
    ),
    "wheel": lambda c: (
        f"{snake(c)}-{c.randint(0, 9)}.{c.randint(0, 30)}.0-cp312-cp312-manylinux_2_17_x86_64.whl"
    ),
    "time": lambda c: (
        f"backup-2026{c.randint(10, 12)}{c.randint(10, 28)}T{c.randint(100000, 235959)}Z-{kebab(c)}"
    ),
    "slug": lambda c: (
        f"https://blog.example.net/2026/11/{'-'.join(name(c, 5, 8))}-{c.randint(1, 99)}"
    ),
    "translation": lambda c: f'msgstr "Näytä {snake(c)}n asiakirjamallikansio."',
    "translation key": lambda c: f"{'.'.join(name(c, 3, 5))}.tokenLabel = {pascal(c)}",
    "talk of tokens": lambda c: (
        f"The {c.choice(WORDS)} token is kept by the {c.choice(WORDS)} for {of(DIGITS, 2)(c)} s."
    ),
    "talk of passwords": lambda c: (
        f"password: must have {c.randint(8, 20)} characters and one of the {c.choice(WORDS)}s"
    ),
    "talk of keys": lambda c: f"the key is {snake(c)}, the value a {c.choice(WORDS)}",
    "token counts": lambda c: (
        f"max_tokens: {c.randint(1, 99)}000, token_limit={c.randint(1000, 200000)}"
    ),
    "primary key": lambda c: f"PRIMARY KEY ({snake(c)}, {snake(c)}_id), FOREIGN KEY ({snake(c)})",
    "key of a map": lambda c: f"cache.get(f'{kebab(c)}:{{tenant}}:{c.randint(1, 9)}') # cache key",
    "address without password": lambda c: f"postgres://localhost:5432/{snake(c)}?sslmode=disable",
    "address with a placeholder": lambda c: (
        f"postgres://app:{c.choice(('password', '$PASS', '<password>', '***'))}@db/{snake(c)}"
    ),
    "user alone": lambda c: f"curl -u {c.choice(WORDS)} https://api.example.net/{snake(c)}",
    "hashes of passwords": lambda c: (
        f"password_hash_scheme = argon2id, m={c.randint(1, 99)}000, t=3 # {snake(c)}"
    ),
    "secret name": lambda c: f"secretName: {kebab(c)}-tls",
    "secret path": lambda c: f"vault kv get secret/{'/'.join(name(c, 3, 4))}",
    "annotation": lambda c: (
        f"{c.choice(WORDS)}.kubernetes.io/{kebab(c)}-token: '{c.choice(('true', 'enabled'))}'"
    ),
    "phone": lambda c: f"Ask Kim, +49 170 {of(DIGITS, 7)(c)}, about the {snake(c)} key.",
    "account numbers": lambda c: f"IBAN DE{of(DIGITS, 20)(c)} for the {c.choice(WORDS)}",
    "colours": lambda c: f"--{kebab(c)}: #{of(HEX, 6)(c)}; --{kebab(c)}: #{of(HEX, 6)(c)};",
    "addresses of machines": lambda c: (
        f"fe80::{of(HEX, 4)(c)}:{of(HEX, 4)(c)}:{of(HEX, 4)(c)}:{of(HEX, 4)(c)} answers"
    ),
    "sum of a check": lambda c: f'{snake(c)}: crc32 {of(HEX, 8)(c)}, etag W/"{of(HEX, 32)(c)}"',
    "encoded words": lambda c: base64.b64encode(" ".join(name(c, 3, 6)).encode()).decode(),
    "serial": lambda c: f"Order {of(LARGE, 4)(c)}-{of(DIGITS, 8)(c)} of {c.choice(WORDS)} is late.",
    "command": lambda c: (
        f"make {kebab(c)} TARGET={snake(c)} VERSION=v{c.randint(1, 9)}.{c.randint(1, 9)}-{kebab(c)}"
    ),
    "diary": lambda c: f"{kebab(c)}-dev-log-diary/day-{c.randint(1, 99):03}.md",
    "long word": lambda c: "".join(name(c, 4, 6)) + of(LOWER, 3)(c),
    "alphabet": lambda c: string.ascii_letters[: c.randint(26, 52)] + string.digits,
}


def look_alike_rows(names: Iterable[str], chance: Random) -> Iterator[tuple[str, str]]:
    """Yield kinds with a text that only looks as if it held a secret."""
    for kind in names:
        for _ in range(4):
            yield kind, LOOK_ALIKES[kind](chance)
