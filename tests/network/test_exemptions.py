"""Which hosts the forms of ``NO_PROXY`` name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.network.exemptions import is_exempt, is_this_machine


@pytest.mark.parametrize(
    ("form", "host", "exempt"),
    [
        ("example.org", "example.org", True),
        ("example.org", "api.example.org", True),
        ("example.org", "notexample.org", False),
        (".example.org", "api.example.org", True),
        (".example.org", "example.org", True),
        ("*.example.org", "api.example.org", True),
        ("EXAMPLE.org", "api.Example.ORG.", True),
        ("10.0.0.0/8", "10.1.2.3", True),
        ("10.0.0.0/8", "11.1.2.3", False),
        ("10.0.0.0/8", "ten.example.org", False),
        ("10.1.2.3/8", "10.9.9.9", True),
        ("fd00::/8", "fd12::1", True),
        ("10.1.2.3", "10.1.2.3", True),
        ("2.3", "10.1.2.3", False),
        ("fd12::1", "fd12::1", True),
        ("[fd12::1]:443", "fd12::1", True),
        ("[fd12::1]:80", "fd12::1", False),
        ("example.org:443", "api.example.org", True),
        ("example.org:80", "example.org", False),
        ("<local>", "build", True),
        ("<local>", "build.example.org", False),
        ("*", "anything.example", True),
        ("*:80", "anything.example", False),
        ("", "example.org", False),
        ("not/a/network", "10.1.2.3", False),
        (":443", "example.org", False),
    ],
)
def test_a_form(form: str, host: str, exempt: bool):
    assert is_exempt(host, 443, [form]) is exempt


@given(st.text(max_size=30), st.text(max_size=30), st.integers(0, 65535))
def test_no_form_raises(form: str, host: str, port: int):
    assert is_exempt(host, port, [form]) in (True, False)


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("localhost", True),
        ("a.localhost", True),
        ("127.8.9.1", True),
        ("[::1]", True),
        ("::ffff:127.0.0.1", True),
        ("localhost.example.org", False),
        ("10.0.0.1", False),
    ],
)
def test_this_machine(host: str, here: bool):
    assert is_this_machine(host) is here
