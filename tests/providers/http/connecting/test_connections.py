"""What is said of a connection that does not come, or an answer that breaks off; and what to do."""

import socket
import ssl
from itertools import pairwise

import pytest

from plimsoll.errors import Fix, ProviderError
from plimsoll.providers.http.connecting.certificates import Untrusted, untrusted_by
from plimsoll.providers.http.connecting.connections import (
    Unconnected,
    encoded_body,
    no_connection,
    no_stream,
    no_tls,
    no_token,
    silent,
    too_large,
    too_long,
    why_no_connection,
)
from plimsoll.providers.http.site import Site

NEVER = "No tool was run. Send the message again."
TRUST = (
    "If you trust it, set network.ca_file to a file with {} (PEM): whoever runs your network or "
    "the server has it. The variable SSL_CERT_FILE is read too."
)
CLOCK = "Check this machine's clock; else whoever runs https://api.example/v1 has to renew it."
OTHER_HOST = "Check the address: its host has to be one that the certificate is for."


def site(url: str = "https://api.example/v1") -> Site:
    return Site(url=url, model="m", key_env="KEY")


def verification(code: int, words: str = "no.") -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError(1, "")
    error.verify_code, error.verify_message = code, words
    return error


@pytest.mark.parametrize(
    ("code", "told", "advice", "setting"),
    [
        (9, "it is not valid yet (no)", CLOCK, "model.base_url"),
        (10, "it has expired (no)", CLOCK, "model.base_url"),
        (
            18,
            "it is signed by itself, by no authority (no)",
            TRUST.format("the certificate itself"),
            "network.ca_file",
        ),
        *(
            (
                code,
                "it comes from an authority that is not trusted here (no)",
                TRUST.format("its authority's certificate"),
                "network.ca_file",
            )
            for code in (19, 20, 21)
        ),
        (62, "it is for another host (no)", OTHER_HOST, "model.base_url"),
        (64, "it is for another host (no)", OTHER_HOST, "model.base_url"),
        (1, "no", TRUST.format("its authority's certificate"), "network.ca_file"),
    ],
)
def test_why_a_certificate_is_not_trusted_and_what_to_do(
    code: int, told: str, advice: str, setting: str
):
    found = why_no_connection(verification(code))
    assert found.why == f"its certificate is not trusted: {told}"
    error = no_connection(found, site())
    assert error.message == f"The certificate of https://api.example/v1 is not trusted: {told}."
    assert (error.remedy, error.data) == (advice, {"url": "https://api.example/v1"})
    assert error.fix == Fix(kind="setting", setting=setting, advice=advice)


def test_a_library_that_says_nothing_more_is_quoted_by_its_reason():
    error = verification(0, "")
    error.reason = "CERTIFICATE_VERIFY_FAILED"
    assert untrusted_by(error) == Untrusted("other", "CERTIFICATE_VERIFY_FAILED")
    error.reason = ""
    assert untrusted_by(error).words == "not trusted"


def chained(*errors: BaseException) -> BaseException:
    for error, cause in pairwise(errors):
        error.__context__ = cause
    return errors[0]


@pytest.mark.parametrize(
    ("error", "found"),
    [
        (OSError(), Unconnected("nobody listens there", starting=True)),
        (ssl.SSLError(), Unconnected("it does not speak TLS as expected")),
        (socket.gaierror(), Unconnected("the host name is unknown")),
        (chained(OSError(), OSError(), socket.gaierror()), Unconnected("the host name is unknown")),
        (
            chained(OSError(), ssl.SSLError(), socket.gaierror()),
            Unconnected("it does not speak TLS as expected"),
        ),
    ],
)
def test_the_reason_is_found_among_the_causes(error: BaseException, found: Unconnected):
    assert why_no_connection(error) == found


def test_causes_in_a_circle_come_to_an_end():
    one, other = OSError(), OSError()
    one.__context__, other.__context__ = other, one
    assert why_no_connection(one).starting


STARTING = Unconnected("nobody listens there", starting=True)


@pytest.mark.parametrize(
    ("url", "start"),
    [
        ("http://127.0.0.1:11434/v1", "Start Ollama (open its app, or run `ollama serve`) and"),
        ("http://localhost:1234/v1", "Start the server in LM Studio (Developer, or run `lms"),
        ("http://[::1]:8080/v1", "Start llama.cpp's server there (`llama-server -m MODEL.gguf`)"),
        ("http://localhost:8000/v1", "Start vLLM there (`vllm serve MODEL`) and try again."),
        ("http://localhost:5000/v1", "Start the server there and try again."),
        ("http://localhost/v1", "again. No port is named, so 80 was tried; Ollama's is 11434,"),
        ("https://localhost/v1", "again. No port is named, so 443 was tried; Ollama's is 11434,"),
    ],
)
def test_where_nothing_runs_on_this_machine_it_is_said_how_to_start_it(url: str, start: str):
    error = no_connection(STARTING, site(url))
    host = url.split("/")[2]
    assert error.message == f"Nothing is running at {host}."
    assert error.fix is not None
    assert start in (error.fix.advice or "")
    assert error.remedy == f"{error.fix.advice} Otherwise check model.base_url."
    assert (error.fix.kind, error.fix.setting) == ("address", "model.base_url")
    assert error.data == {"url": url}
    assert ("No port is named" in error.remedy) is (":" not in host)


@pytest.mark.parametrize(
    ("found", "url"),
    [
        (STARTING, "https://api.example/v1"),
        (Unconnected("the host name is unknown"), "http://localhost:8000/v1"),
    ],
)
def test_a_server_elsewhere_or_an_unknown_name_points_at_the_address(found: Unconnected, url: str):
    error = no_connection(found, site(url))
    assert error.message == f"No connection to {url} for model 'm': {found.why}."
    running = f"Is the server running at {url}?"
    assert error.remedy == f"{running} Otherwise check model.base_url and the network."
    assert error.fix == Fix(kind="address", setting="model.base_url", advice=running)


@pytest.mark.parametrize(
    ("url", "meant"),
    [
        ("https://localhost:8000/v1", "http://localhost:8000/v1"),
        ("https://10.0.0.7/v1", "http://10.0.0.7/v1"),
        ("https://api.example/v1", None),
    ],
)
def test_plain_http_is_advised_on_a_network_of_ones_own_alone(url: str, meant: str | None):
    error = no_tls(site(url))
    assert error.message.startswith(f"{url} does not speak TLS as expected: it may be a server of")
    assert error.fix == Fix(kind="address", address=meant, setting="model.base_url")
    assert ("Set model.base_url to" in (error.remedy or "")) is (meant is not None)


@pytest.mark.parametrize(
    ("error", "message", "setting", "advice"),
    [
        (
            no_token(site(), 90.0),
            "https://api.example/v1 gave no token of an answer of model 'm' in 90 s.",
            "model.first_token_seconds",
            "Try again, or wait longer where the model reads a long prompt.",
        ),
        (
            silent(site(), 0.5),
            "https://api.example/v1 was silent for 0.5 s in the middle of an answer of model 'm'.",
            "model.idle_seconds",
            NEVER,
        ),
        (
            too_long(site(), 600),
            "The answer of model 'm' took longer than 600 s.",
            "model.answer_seconds",
            NEVER,
        ),
    ],
)
def test_an_answer_that_takes_too_long_names_the_setting(
    error: ProviderError, message: str, setting: str, advice: str
):
    assert error.message == message
    assert error.fix == Fix(kind="setting", setting=setting, advice=advice)
    assert f"raise {setting}." in (error.remedy or "")


def test_a_body_of_another_kind_or_size_is_quoted_shortly():
    large = too_large(site(), 1_000_000)
    assert large.message == "The answer of model 'm' is larger than 1,000,000 bytes."
    assert large.remedy == NEVER
    encoded = encoded_body("x" * 50, site())
    assert f"answers in '{'x' * 40}', though plain bytes" in encoded.message
    kind = no_stream("y" * 70, site("https://api.example"))
    assert f"answers with a document ({'y' * 60}), not" in kind.message
    assert kind.remedy == "Set model.base_url to https://api.example/v1."
