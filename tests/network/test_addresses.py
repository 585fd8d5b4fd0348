"""A name leads to the public Internet; one that a person names also to a single machine."""

import pytest

from plimsoll.network.addresses import is_machine, is_public

PUBLIC = ("151.101.0.223", "8.8.8.8", "2a04:4e42::223", "64:ff9b::808:808", "::ffff:8.8.8.8")
OF_A_PERSON = (
    *("10.0.0.1", "172.16.3.4", "192.168.1.1", "100.64.0.1", "127.0.0.1", "127.8.9.1"),
    *("::1", "fd00::1", "::ffff:10.0.0.1", "::ffff:127.0.0.1", "64:ff9b::a00:1"),
    *("203.0.113.80", "198.18.0.1", "2001:db8::1", "192.88.99.1", "3fff::1", "5f00::1"),
    *("192.0.0.192", "168.63.129.16", "2606:4700::5efe:7f00:1", "2606:4700::200:5efe:a00:1"),
    *("64:ff9b:1::1", "2001:2::1"),
)
NEVER = (
    *("0.0.0.0", "0.1.2.3", "169.254.169.254", "224.0.0.1", "255.255.255.255"),
    *("::", "fe80::1", "fe80::1%1", "fec0::1", "ff02::1", "::ffff:169.254.169.254"),
    *("::ffff:0.0.0.0", "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "2002:808:808::"),
    *("2001:0:4136:e378:8000:63bf:3fff:fdd2", "::7f00:1", "::8.8.8.8", "pypi.org", "", "1"),
)


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address(address):
    assert is_public(address)
    assert is_machine(address)


@pytest.mark.parametrize("address", OF_A_PERSON)
def test_an_address_that_only_a_person_can_mean(address):
    assert not is_public(address)
    assert is_machine(address)


@pytest.mark.parametrize("address", NEVER)
def test_an_address_that_nothing_outside_has(address):
    assert not is_public(address)
    assert not is_machine(address)
