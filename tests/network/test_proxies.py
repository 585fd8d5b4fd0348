"""Which proxy leads to an address."""

import pytest

from plimsoll.errors import SettingsInvalid
from plimsoll.network.environment import certificate_store, proxy_variables
from plimsoll.network.proxies import Network, ProxyAddress, proxy_at

FAR, FAR_PLAIN, HERE = "https://api.example.org/v1", "http://api.example.org/v1", "http://127.0.0.1"
SET = ProxyAddress(scheme="http", host="p", port=8080, user="ada", password="word")


def followed(**variables: str) -> Network:
    return Network(variables=proxy_variables(variables))


def reached(network: Network, address: str) -> str | None:
    found = network.proxy_for(address)
    return None if found is None else found.url


def test_what_is_set_leads_everywhere_but_to_this_machine():
    network = Network(proxy="http://ada@p:8080", password="word", exempt=(".example.net",))
    assert network.proxy_for(FAR) == network.proxy_for(FAR_PLAIN) == SET
    assert network.proxy_for(HERE) is None
    assert network.proxy_for("https://a.example.net/v1") is None
    everywhere = Network(proxy="http://p:8080", proxy_loopback=True)
    assert reached(everywhere, HERE) == "http://p:8080"


def test_variables_lead_by_scheme():
    network = followed(
        HTTPS_PROXY="http://s:1", HTTP_PROXY="http://h:2", NO_PROXY="a.example b.example"
    )
    assert reached(network, FAR) == "http://s:1"
    assert reached(network, FAR_PLAIN) == "http://h:2"
    assert reached(network, "https://b.example/v1") is None
    assert reached(network, "https://localhost/v1") is None
    both = followed(ALL_PROXY="socks5h://s", no_proxy="10.0.0.0/8,*.example.net")
    assert reached(both, FAR) == reached(both, FAR_PLAIN) == "socks5h://s:1080"
    assert reached(both, "https://10.1.1.1/v1") is None


def test_what_is_set_comes_before_variables_and_small_letters_before_large():
    names = proxy_variables({"HTTPS_PROXY": "http://large:1", "https_proxy": "http://small:2"})
    assert reached(Network(variables=names), FAR) == "http://small:2"
    assert reached(Network(proxy="http://set:3", variables=names), FAR) == "http://set:3"


def test_a_password_is_shown_nowhere():
    network = followed(HTTPS_PROXY="http://ada:s%40cret-word@p:8080")
    found = network.proxy_for(FAR)
    assert found is not None
    assert (found.user, found.password, found.source) == ("ada", "s@cret-word", "HTTPS_PROXY")
    assert "cret" not in f"{found!r} {found.url} {network!r}"


@pytest.mark.parametrize(
    "address", ["ftp://p:1", "http://", "http://p:99999", "http://p:0", "http://[p"]
)
def test_the_address_of_no_proxy(address: str):
    with pytest.raises(SettingsInvalid) as caught:
        proxy_at(address.replace("//", "//ada:secret-word@"), "HTTPS_PROXY")
    assert "HTTPS_PROXY" in caught.value.message
    assert "secret-word" not in f"{caught.value.message} {caught.value.remedy} {caught.value.data}"


def test_an_address_without_a_scheme_is_of_http():
    assert proxy_at("p.example.org:3128", "x").url == "http://p.example.org:3128"


@pytest.mark.parametrize(
    ("variables", "store"),
    [
        ({}, (None, None)),
        ({"SSL_CERT_FILE": "/a", "REQUESTS_CA_BUNDLE": "/b"}, ("/a", None)),
        ({"SSL_CERT_DIR": "/d"}, (None, "/d")),
        ({"REQUESTS_CA_BUNDLE": "/b", "SSL_CERT_FILE": ""}, ("/b", None)),
    ],
)
def test_the_store_of_the_environment(variables: dict[str, str], store: tuple[str | None, ...]):
    assert certificate_store(variables) == store
