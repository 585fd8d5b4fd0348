"""Secrets and look-alikes made anew from a seed, many families of each, in two halves.

One half is there to be looked at while the detection is improved; the other half tells what that is
worth on what it has not seen, so nobody reads its misses. No line of this file has the form of a
secret: every token is put together at run time.
"""

import base64
import hashlib
import string
from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random

Make = Callable[[Random], str]

DIGITS, LOWER, UPPER = string.digits, string.ascii_lowercase, string.ascii_uppercase
ALNUM, HEX, SMALL, LARGE = (
    LOWER + UPPER + DIGITS,
    "0123456789abcdef",
    LOWER + DIGITS,
    UPPER + DIGITS,
)
URL_SAFE, BASE64, BASE32 = ALNUM + "-_", ALNUM + "+/", UPPER + "234567"


def of(alphabet: str, least: int, most: int | None = None) -> Make:
    """Random characters of an alphabet, as a vendor's generator draws them."""
    return lambda chance: "".join(chance.choices(alphabet, k=chance.randint(least, most or least)))


def joined(*parts: str | Make) -> Make:
    """Fixed and random pieces one behind the other."""
    return lambda chance: "".join(p if isinstance(p, str) else p(chance) for p in parts)


def uuid(chance: Random) -> str:
    return "-".join(of(HEX, size)(chance) for size in (8, 4, 4, 4, 12))


def encoded(prefix: str, least: int) -> Make:
    """Base64 of a JSON object with random values."""

    def make(chance: Random) -> str:
        text = f'{prefix}"{of(ALNUM, least)(chance)}","n":"{of(SMALL, 8)(chance)}","id":1}}'
        return base64.b64encode(text.encode()).decode()

    return make


VENDORS: Mapping[str, Make] = {
    "aws id": joined("AK", "IA", of(BASE32, 16)),
    "aws session id": joined("AS", "IA", of(BASE32, 16)),
    "aws bedrock": joined("AB", "SK", of(BASE64, 109, 120), "="),
    "azure client secret": joined(of(ALNUM, 3), "8", "Q~", of(ALNUM + "_~.-", 34)),
    "google api": joined("AI", "za", of(URL_SAFE, 35)),
    "google oauth": joined("GOC", "SPX-", of(URL_SAFE, 28)),
    "github": joined("gh", "p_", of(ALNUM, 36)),
    "github app": joined("gh", "s_", of(ALNUM, 36)),
    "github fine": joined("github", "_pat_", of(ALNUM, 22), "_", of(ALNUM, 59)),
    "gitlab": joined("gl", "pat-", of(URL_SAFE, 20)),
    "gitlab feature": joined("gl", "ffct-", of(URL_SAFE, 20)),
    "gitlab job": joined("gl", "cbt-", of(HEX, 2), "_", of(URL_SAFE, 20)),
    "slack bot": joined("xo", "xb-", of(DIGITS, 12), "-", of(DIGITS, 12), "-", of(ALNUM, 24)),
    "slack app": joined("xa", "pp-1-A", of(LARGE, 9), "-", of(DIGITS, 13), "-", of(HEX, 64)),
    "slack hook": joined(
        "https://hooks.slack",
        ".com/services/T",
        of(LARGE, 8),
        "/B",
        of(LARGE, 8),
        "/",
        of(ALNUM, 24),
    ),
    "teams hook over http": joined(
        "http://acme.webhook",
        ".office.com/webhookb2/",
        uuid,
        "@",
        uuid,
        "/IncomingWebhook/",
        of(HEX, 32),
        "/",
        uuid,
    ),
    "discord hook": joined(
        "https://discord", ".com/api/webhooks/", of(DIGITS, 18), "/", of(URL_SAFE, 68)
    ),
    "stripe": joined("sk", "_live_", of(ALNUM, 24, 99)),
    "stripe hook": joined("wh", "sec_", of(ALNUM, 32)),
    "openai": joined("s", "k-proj-", of(URL_SAFE, 74), "T3BlbkFJ", of(URL_SAFE, 74)),
    "anthropic": joined("s", "k-ant-api03-", of(URL_SAFE, 93), "AA"),
    "groq": joined("gs", "k_", of(ALNUM, 52)),
    "replicate": joined("r", "8_", of(ALNUM, 37)),
    "hugging face": joined("h", "f_", of(LOWER + UPPER, 34)),
    "perplexity": joined("pp", "lx-", of(ALNUM, 48)),
    "airtable": joined("pa", "t", of(ALNUM, 14), ".", of(HEX, 64)),
    "dynatrace": joined("dt0", "c01.", of(BASE32, 24), ".", of(BASE32, 64)),
    "duffel": joined("duffel", "_test_", of(URL_SAFE, 43)),
    "grafana key": encoded('{"k":', 24),
    "grafana service": joined("gl", "sa_", of(ALNUM, 32), "_", of(HEX, 8)),
    "npm": joined("np", "m_", of(ALNUM, 36)),
    "pypi": joined("py", "pi-AgEIcHlwaS5vcmc", of(URL_SAFE, 70, 90)),
    "ruby": joined("ruby", "gems_", of(HEX, 48)),
    "docker": joined("dc", "kr_pat_", of(URL_SAFE, 27)),
    "sendgrid": joined("S", "G.", of(URL_SAFE, 22), ".", of(URL_SAFE, 43)),
    "mailchimp": joined(of(HEX, 32), "-us", "14"),
    "brevo": joined("xkey", "sib-", of(HEX, 64), "-", of(ALNUM, 16)),
    "digital ocean": joined("dop", "_v1_", of(HEX, 64)),
    "shopify": joined("sh", "pat_", of(HEX, 32)),
    "square": joined("sq0", "csp-", of(URL_SAFE, 43)),
    "shippo": joined("shippo", "_live_", of(HEX, 40)),
    "easypost": joined("EZ", "AK", of(SMALL, 54)),
    "flutterwave": joined("FLW", "SECK_TEST-", of(HEX, 32), "-X"),
    "databricks": joined("da", "pi", of(HEX, 32), "-2"),
    "terraform": joined(of(ALNUM, 14), ".atl", "asv1.", of(URL_SAFE, 67)),
    "vault": joined("hv", "s.", of(URL_SAFE, 90, 100)),
    "vault old": joined("s", ".", of(ALNUM, 24)),
    "linear": joined("lin", "_api_", of(ALNUM, 40)),
    "notion": joined("nt", "n_", of(DIGITS, 11), of(ALNUM, 35)),
    "postman": joined("PM", "AK-", of(HEX, 24), "-", of(HEX, 34)),
    "new relic": joined("NR", "AK-", of(LARGE, 27)),
    "planetscale": joined("pscale", "_pw_", of(URL_SAFE, 43)),
    "pulumi": joined("pu", "l-", of(HEX, 40)),
    "prefect": joined("pn", "u_", of(SMALL, 36)),
    "readme": joined("rd", "me_", of(SMALL, 70)),
    "sentry user": joined("sntry", "u_", of(HEX, 64)),
    "telegram": joined(of("123456789", 9), ":A", "A", of(URL_SAFE, 33)),
    "discord bot": joined("MT", of(ALNUM, 24), ".", of(URL_SAFE, 6), ".", of(URL_SAFE, 38)),
    "web token": joined(
        "ey", "J", of(URL_SAFE, 33), ".ey", "J", of(URL_SAFE, 60), ".", of(URL_SAFE, 43)
    ),
    "typeform": joined("tf", "p_", of(ALNUM + "-_.=", 59)),
    "sonar": joined("sq", "u_", of(HEX, 40)),
    "sourcegraph": joined("sg", "p_", of(HEX, 16), "_", of(HEX, 40)),
    "snyk": joined("SNYK", "_TOKEN=", uuid),
    "jfrog": joined("AK", "Cp", of(ALNUM, 69)),
    "nuget": joined("oy", "2", of(SMALL, 43)),
    "netlify": joined("nf", "p_", of(ALNUM, 36)),
    "supabase": joined("sb", "p_", of(HEX, 40)),
    "resend": joined("re", "_", of(ALNUM, 8), "_", of(ALNUM, 24)),
    "tailscale": joined("ts", "key-auth-", of(ALNUM, 12), "CNTRL-", of(ALNUM, 32)),
    "buildkite": joined("bk", "ua_", of(HEX, 40)),
    "figma": joined("fi", "gd_", of(URL_SAFE, 40)),
    "hubspot": joined("pa", "t-na1-", uuid),
    "alibaba": joined("LT", "AI", of(ALNUM, 20)),
    "adobe": joined("p8", "e-", of(SMALL, 32)),
    "contentful": joined("CF", "PAT-", of(URL_SAFE, 43)),
    "facebook": joined("EA", "A", of(ALNUM, 100, 180)),
    "mapbox": joined("sk", ".eyJ", of(ALNUM, 80), ".", of(URL_SAFE, 22)),
    "okta": joined("00", of(URL_SAFE, 40)),
    "dropbox": joined("s", "l.", of(URL_SAFE, 130, 140)),
    "waka": joined("waka", "_", uuid),
    "posthog": joined("ph", "x_", of(ALNUM, 43)),
    "fly": joined("Fly", "V1 fm2_", of(BASE64, 80, 120)),
    "zoho": joined("10", "00.", of(HEX, 32), ".", of(HEX, 32)),
    "pinecone": joined("pc", "sk_", of(ALNUM, 5), "_", of(ALNUM, 63)),
    "razorpay": joined("rzp", "_live_", of(ALNUM, 14)),
    "circle": joined("CCI", "PAT_", of(ALNUM, 22), "_", of(HEX, 40)),
    "adafruit": joined("ai", "o_", of(ALNUM, 28)),
    "render": joined("rn", "d_", of(ALNUM, 32)),
    "ngrok": joined("2", of(ALNUM, 26), "_", of(ALNUM, 21)),
    "yandex": joined("AQ", "VN", of(URL_SAFE, 36)),
    "mongo": joined("mongodb+srv://app:", of(ALNUM, 16), "@c0.x1y2z.mongodb.net/db"),
    "amqp": joined("amqps://worker:", of(URL_SAFE, 24), "@mq.example.net/vhost"),
    "private key": joined("-----BEGIN ", "EC PRIVATE", " KEY-----\nMHcCAQEE", of(BASE64, 40)),
    "cloudflare": joined("v1", ".0-", of(HEX, 24), "-", of(HEX, 146)),
    "fireworks": joined("fw", "_", of(ALNUM, 24)),
    "tavily": joined("tvly", "-dev-", of(ALNUM, 32)),
    "e2b": joined("e2", "b_", of(HEX, 40)),
    "neon": joined("nap", "i_", of(SMALL, 64)),
    "amazon mws": joined("amzn", ".mws.", uuid),
    "asana": joined("1", "/", of(DIGITS, 16), ":", of(HEX, 32)),
    "netrc": joined("machine api.example.net login me password ", of(ALNUM, 16)),
    "ssh pass": joined("sshpass -p '", of(ALNUM, 9), "!3' ssh host"),
    "signed url": joined(
        "https://a.blob.core.windows.net/c?sv=2022-11-02&sig=", of(ALNUM, 43), "%3D"
    ),
}
"""A token that says by its form what it is, or that is random by itself."""


WORDS = ("river", "harbour", "lantern", "copper", "maple", "orbit", "pepper", "velvet")


def word(chance: Random) -> str:
    return chance.choice(WORDS)


def password(chance: Random) -> str:
    first, second = word(chance), word(chance).capitalize()
    mark = chance.choice("!&$%?*+")
    return chance.choice(
        (
            f"{first}{mark}{second}{chance.randint(1, 99)}",
            f"{chance.randint(2, 9)}{second}{mark}{first}",
        )
    )


VALUES: Mapping[str, Make] = {
    "hex 32": of(HEX, 32),
    "hex 40": of(HEX, 40),
    "hex 64": of(HEX, 64),
    "uuid": uuid,
    "letters and digits 20": of(ALNUM, 20),
    "letters and digits 32": of(ALNUM, 32),
    "letters and digits 48": of(ALNUM, 48),
    "small 24": of(SMALL, 24),
    "small 40": of(SMALL, 40),
    "large 26": of(LARGE, 26),
    "base64 44": joined(of(BASE64, 43), "="),
    "base64 88": joined(of(BASE64, 86), "=="),
    "url safe 43": of(URL_SAFE, 43),
    "with a tilde": joined(of(ALNUM, 12), "~", of(ALNUM, 20)),
    "with dots": joined(of(ALNUM, 10), ".", of(ALNUM, 24)),
    "a password": password,
    "a short password": joined(of(LOWER, 4), of(DIGITS, 2), of("!&$%*", 1), of(UPPER, 2)),
}
"""A value that only its name gives away."""
NAMES = (
    "ACME_API_KEY={}",
    "export LEDGER_TOKEN='{}'",
    'client_secret = "{}"',
    '"secretKey": "{}",',
    "password: {}",
    "api-key: {}",
    "the password of the staging host is {}",
    'headers["Authorization"] = "Bearer {}"',
    "curl -H 'X-Api-Key: {}' https://api.example.net/v1/items",
    "--token={} --verbose",
    "new Client({{ accessToken: '{}' }})",
    "DB_PASSWORD: {} # rotate",
    '<add key="ClientSecret" value="{}" />',
    "auth_token => '{}',",
)
PLACES = (
    "{}",
    "use {} for the mirror",
    "VALUE={}",
    '"it": "{}"',
    "run(`{}`)",
    "first line\n  - {}\nlast line",
)


def secret_rows(names: Iterable[str], chance: Random) -> Iterator[tuple[str, str]]:
    """Yield families with a text that holds one of their secrets."""
    for name in names:
        if name in VENDORS:
            for place in chance.sample(PLACES, 3):
                yield name, place.format(VENDORS[name](chance))
            continue
        for place in chance.sample(NAMES, 7):
            yield name, place.format(VALUES[name](chance))


def halves(names: Iterable[str], *, looked_at: Iterable[str] = ()) -> tuple[list[str], list[str]]:
    """Split names in those to be looked at and those held out, by nothing that they say."""
    known, tune, held = set(looked_at), [], []
    for name in names:
        odd = hashlib.sha256(name.encode()).digest()[0] % 2
        (tune if odd or name in known else held).append(name)
    return tune, held


LOOKED_AT = (
    "azure client secret",
    "airtable",
    "dynatrace",
    "teams hook over http",
    "aws bedrock",
    "duffel",
    "gitlab feature",
    "grafana key",
    "cloudflare",
    "fireworks",
    "tavily",
    "e2b",
    "neon",
    "amazon mws",
    "asana",
    "netrc",
    "ssh pass",
)
"""Families that were missed once, so that they cannot be held out."""


def split_secrets() -> tuple[list[str], list[str]]:
    return halves((*VENDORS, *VALUES), looked_at=LOOKED_AT)
