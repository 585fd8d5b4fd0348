"""An address is shown as it is asked for, and what is no plain address is refused."""

import pytest

from plimsoll.errors import ToolFailed
from plimsoll.tools.web.address import is_same_site, web_address


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://docs.example.org", "https://docs.example.org/"),
        ("HTTPS://Docs.Example.ORG:443/a?b=c#part", "https://docs.example.org/a?b=c"),
        ("http://docs.example.org.:8080/a", "http://docs.example.org:8080/a"),
        ("https://b\u00fccher.example/\u00e4", "https://xn--bcher-kva.example/%C3%A4"),
        # A Cyrillic letter in a Latin name is seen.
        ("https://ex\u0430mple.org/", "https://xn--exmple-4nf.org/"),
        ("https://[2001:DB8::1]:8443/x", "https://[2001:db8::1]:8443/x"),
    ],
)
def test_an_address_is_shown_as_it_is_asked_for(text, shown):
    address = web_address(text)
    assert address.shown == shown
    assert web_address(shown) == address
    assert shown.isascii()


@pytest.mark.parametrize(
    "text",
    [
        *("file:///etc/passwd", "data:text/html,x", "ftp://example.org/", "javascript:1"),
        *("gopher://example.org/", "//example.org/", "example.org", "http://", "https:///a", ""),
        *("http://user@example.org/", "http://user:pw@example.org/"),
        *("http://example.org@127.0.0.1/", "http://127.0.0.1\\@example.org/"),
        *("http://a\0.example.org/", "http://example.org/a b", "http://example.org/\r\nX: y"),
        *("http://example.org:0/", "http://example.org:99999/", "http://example.org:x/"),
        *("http://ex%61mple.org/", "http://exam\u2024ple.org:80:80/", "http://a..b/"),
        *("http://[fe80::1%25eth0]/", "http://[::1/", "https://" + "a" * 260 + ".org/"),
        "https://example.org/" + "a" * 2_000,
    ],
)
def test_what_is_no_plain_address_is_refused(text):
    with pytest.raises(ToolFailed):
        web_address(text)


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("http://a.org/", "http://a.org/b", True),
        ("http://a.org/", "https://a.org/", True),
        ("https://a.org/", "http://a.org/", False),
        ("https://a.org/", "https://www.a.org/", False),
        ("https://a.org/", "https://a.org:8443/", False),
        ("http://a.org:8080/", "https://a.org/", False),
    ],
)
def test_a_site_is_left_where_host_port_or_safety_change(before, after, same):
    assert is_same_site(web_address(before), web_address(after)) is same
