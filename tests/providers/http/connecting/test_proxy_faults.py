"""What is said of a proxy that fails: whose fault it is, and which setting to look at."""

import pytest

from plimsoll.errors import Fix, ProviderAuth, ProviderUnavailable
from plimsoll.network.proxies import ProxyAddress
from plimsoll.providers.http.connecting.proxy_faults import (
    add_proxy,
    proxy_cut,
    proxy_refused,
    proxy_silent,
    proxy_unreachable,
    socks_refused,
)
from plimsoll.providers.http.site import Site

PROXY = ProxyAddress(scheme="http", host="proxy", port=3128)
LOGGED_IN = ProxyAddress(
    scheme="http", host="proxy", port=3128, user="ada", password="x", source="HTTPS_PROXY"
)
SITE = Site(url="https://api.example/v1", model="m", key_env="KEY", via=PROXY)
ELSEWHERE = Site(url="https://api.example:8443/v1", model="m", key_env="KEY", via=PROXY)
CALLED = "the proxy http://proxy:3128 (network.proxy)"
CHECK = (
    "Check network.proxy and whether the proxy is running. If the address is reached without it, "
    "name the host in network.no_proxy."
)
LOGIN = (
    "Write the user into network.proxy (http://USER@host:port) and the name of the variable that "
    "holds the password into network.proxy_password_env."
)
HELPER = (
    "Run a helper on this machine that logs in there, such as px or cntlm. Set network.proxy to "
    "its address."
)
ALLOW = (
    "Ask whoever runs the proxy to allow api.example, or name the host in network.no_proxy if it "
    "is reached directly."
)
LEADS = "Check that the proxy leads to api.example, or name the host in network.no_proxy."


@pytest.mark.parametrize(
    ("error", "message", "remedy", "setting"),
    [
        (
            proxy_unreachable(PROXY, "nobody listens there", SITE),
            f"No connection to {CALLED}: nobody listens there.",
            CHECK,
            "network.proxy",
        ),
        (
            proxy_silent(PROXY, 2.5, SITE),
            f"T{CALLED[1:]} said nothing in 2.5 s to a request for api.example.",
            CHECK,
            "network.proxy",
        ),
        (
            proxy_cut(PROXY, ELSEWHERE),
            f"T{CALLED[1:]} cut the connection when it was asked for api.example:8443.",
            CHECK,
            "network.proxy",
        ),
        (
            proxy_refused(PROXY, 500, SITE),
            f"T{CALLED[1:]} could not reach api.example (status 500).",
            LEADS,
            "network.no_proxy",
        ),
        (
            proxy_refused(PROXY, 499, SITE),
            f"T{CALLED[1:]} does not let requests through to api.example (status 499).",
            ALLOW,
            "network.no_proxy",
        ),
        (
            proxy_refused(PROXY, 407, SITE, ["Basic realm=x"]),
            f"T{CALLED[1:]} wants a user and a password (407).",
            LOGIN,
            "network.proxy",
        ),
        (
            proxy_refused(PROXY, 407, SITE),
            f"T{CALLED[1:]} wants a user and a password (407).",
            LOGIN,
            "network.proxy",
        ),
        (
            proxy_refused(PROXY, 407, SITE, ["Negotiate", "NTLM abc", "NTLM", "BASIC"]),
            f"T{CALLED[1:]} wants a user and a password (407).",
            LOGIN,
            "network.proxy",
        ),
        (
            proxy_refused(PROXY, 407, SITE, ["Negotiate", "N\x1bTLM abc", "NTLM", "X" * 30]),
            (
                f"T{CALLED[1:]} wants a login by Negotiate, NTLM, {'X' * 20} alone, which Plimsoll "
                "does not speak."
            ),
            HELPER,
            "network.proxy",
        ),
        (
            proxy_refused(LOGGED_IN, 407, SITE, ["Basic"]),
            (
                "The proxy http://proxy:3128 (HTTPS_PROXY) does not take the user and the password "
                "that it was given (407)."
            ),
            f"Correct user and password in HTTPS_PROXY. Or: w{LOGIN[1:]}",
            "network.proxy",
        ),
        (
            socks_refused(PROXY, "Authentication failed", SITE),
            f"T{CALLED[1:]} wants a user and a password (407).",
            LOGIN,
            "network.proxy",
        ),
        (
            socks_refused(PROXY, "Host unreachable", SITE),
            f"T{CALLED[1:]} could not reach api.example.",
            CHECK,
            "network.proxy",
        ),
    ],
)
def test_a_person_reads_which_proxy_failed_and_what_to_change(
    error: ProviderUnavailable, message: str, remedy: str, setting: str
):
    assert (error.message, error.remedy) == (message, remedy)
    assert error.fix == Fix(kind="setting", setting=setting)
    shown = "https://api.example" + (":8443" if "8443" in message else "") + "/v1"
    assert error.data == {"url": shown, "proxy": "http://proxy:3128"}


@pytest.mark.parametrize("given", [{"user": "ada"}, {"password": "x"}])
def test_a_proxy_that_was_given_a_part_of_a_login_refused_that(given: dict[str, str]):
    via = ProxyAddress(scheme="http", host="proxy", port=3128, **given)
    assert "does not take the user" in proxy_refused(via, 407, SITE).message


def test_a_fault_of_the_server_names_the_proxy_between_if_there_is_one():
    direct = Site(url="https://api.example/v1", model="m", key_env="KEY")
    assert add_proxy(ProviderUnavailable("It fails."), direct).message == "It fails."
    assert add_proxy(ProviderAuth("No key."), SITE).message == "No key."
    told = f"It fails. It was asked through {CALLED}."
    assert add_proxy(ProviderUnavailable("It fails."), SITE).message == told
