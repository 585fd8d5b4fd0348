"""Servers at addresses: checked connections, logins that hold, and errors that pass."""

import socket
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import pytest_asyncio

from plimsoll.errors import ToolFailed
from plimsoll.tools.mcp.host import Host
from plimsoll.tools.mcp.logins import read_login
from plimsoll.tools.ports.mcp import McpServer
from tools.mcp.conftest import Hosting
from tools.mcp.remote import Authorization, Browser, mute, remote

pytestmark = pytest.mark.slow


@pytest_asyncio.fixture
async def url() -> AsyncIterator[str]:
    async with remote() as found:
        yield found


@pytest.fixture
def authorization() -> Authorization:
    return Authorization()


@pytest_asyncio.fixture
async def guarded(hosting: Hosting, authorization: Authorization) -> AsyncIterator[str]:
    """A server behind a login, configured as ``far``."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    hosting.needs = replace(hosting.needs, login_port=port)
    hosting.host = Host(lambda: hosting.servers, hosting.needs)
    async with remote(authorization) as found:
        hosting.servers = [McpServer(name="far", url=found)]
        yield found
        await hosting.host.close()


async def test_a_server_at_an_address_lists_and_answers(hosting: Hosting, url: str):
    hosting.servers = [McpServer(name="far", url=url)]
    (offer,) = await hosting.host.start()
    assert (offer.state, offer.error, offer.instructions) == ("ready", None, "Adds.")
    assert (await hosting.call("far", "add", a=1, b=2)).text == "3"
    assert len((await hosting.call("far", "long", size=3_000_000)).text) == 3_000_000
    await hosting.host.close()


@pytest.mark.timeout(240)
async def test_a_server_that_does_not_hear_of_the_end_holds_nobody_up(hosting: Hosting):
    async with mute() as (url, ended):
        hosting.servers = [McpServer(name="far", url=url)]
        (offer,) = await hosting.host.start()
        assert offer.state == "ready"
        await hosting.host.close()
    assert ended == ["the one"]


@pytest.mark.timeout(240)
async def test_a_server_that_does_not_list_its_tools_is_given_up(hosting: Hosting):
    hosting.start_seconds(1)
    async with mute("tools/list") as (url, _):
        hosting.servers = [McpServer(name="far", url=url)]
        (offer,) = await hosting.host.start()
    assert offer.error == "The server far could not be started: it did not answer within 1 s."


async def test_a_server_that_forgets_the_conversation_is_asked_anew(hosting: Hosting):
    async with remote() as url:
        hosting.servers = [McpServer(name="far", url=url)]
        await hosting.host.start()
        port = int(url.split(":")[2].split("/")[0])
    async with remote(port=port):
        assert (await hosting.call("far", "add", a=1, b=2)).text == "3"
        await hosting.host.close()


async def test_an_address_where_nobody_is_says_so_and_is_tried_again_later(hosting: Hosting):
    async with remote() as url:
        hosting.servers = [McpServer(name="far", url=url)]
    (offer,) = await hosting.host.start()
    assert (offer.state, offer.error) == (
        "failed",
        (
            "The server far could not be started: it says: 127.0.0.1 was not reached: All "
            "connection attempts failed."
        ),
    )


async def test_an_authorization_server_in_a_private_network_is_not_reached(
    hosting: Hosting, authorization: Authorization, guarded: str
):
    async def resolve(host: str, port: int):
        return [("127.0.0.1", port)]

    authorization.issuer = authorization.base.replace("127.0.0.1", "as.example")
    hosting.needs = replace(hosting.needs, resolve=resolve)
    hosting.host = Host(lambda: hosting.servers, hosting.needs)
    with pytest.raises(ToolFailed, match=r"as\.example is 127\.0\.0\.1, which is not"):
        await hosting.host.authorize("far", Browser().open)


async def test_a_login_is_asked_for_and_holds_for_the_next_host(
    hosting: Hosting, authorization: Authorization, guarded: str
):
    (offer,) = await hosting.host.start()
    assert (offer.state, offer.error) == ("signIn", "The server far wants a login.")
    browser = Browser()

    offer = await hosting.host.authorize("far", browser.open)

    assert (offer.state, offer.error) == ("ready", None)
    assert (await hosting.call("far", "add", a=1, b=2)).text == "3"
    assert "You are logged in." in browser.pages[0]
    await hosting.host.close()
    hosting.host = Host(lambda: hosting.servers, hosting.needs)
    assert [one.state for one in await hosting.host.start()] == ["ready"]
    assert authorization.asked == ["register", "authorization_code"]


async def test_a_second_login_uses_the_same_registration_and_port(
    hosting: Hosting, authorization: Authorization, guarded: str
):
    await hosting.host.authorize("far", Browser().open)
    authorization.access.clear()
    authorization.refresh.clear()
    with pytest.raises(ToolFailed, match="wants a login"):
        await hosting.call("far", "add", a=1, b=2)
    assert hosting.host.offers()[0].state == "signIn"

    assert (await hosting.host.authorize("far", Browser().open)).state == "ready"

    assert authorization.asked.count("register") == 1


async def test_a_token_that_has_ended_is_renewed_once_for_all_calls(
    hosting: Hosting, authorization: Authorization, guarded: str
):
    await hosting.host.authorize("far", Browser().open)
    authorization.access.clear()
    answers = [await hosting.call("far", "add", a=n, b=0) for n in range(3)]
    assert [answer.text for answer in answers] == ["0", "1", "2"]
    assert authorization.asked.count("refresh_token") == 1


async def test_a_token_is_renewed_by_a_host_that_was_started_later(
    hosting: Hosting, authorization: Authorization, guarded: str
):
    await hosting.host.authorize("far", Browser().open)
    await hosting.host.close()
    authorization.access.clear()
    hosting.host = Host(lambda: hosting.servers, hosting.needs)
    assert [one.state for one in await hosting.host.start()] == ["ready"]
    assert authorization.asked[-1] == "refresh_token"


@pytest.mark.parametrize("failing", [[503], [503, 503]])
async def test_an_error_that_passes_erases_nothing(
    hosting: Hosting, authorization: Authorization, guarded: str, failing: list[int]
):
    await hosting.host.authorize("far", Browser().open)
    before = read_login(await hosting.needs.logins.read(guarded))
    authorization.access.clear()
    authorization.fail_next = list(failing)
    if len(failing) > 1:
        with pytest.raises(ToolFailed):
            await hosting.call("far", "add", a=1, b=2)
        assert read_login(await hosting.needs.logins.read(guarded)) == before
        assert hosting.host.offers()[0].state == "ready"
    assert (await hosting.call("far", "add", a=1, b=2)).text == "3"
    assert authorization.asked.count("register") == 1


async def test_a_registration_that_is_gone_is_made_anew_after_two_refusals(
    hosting: Hosting, authorization: Authorization, guarded: str
):
    await hosting.host.authorize("far", Browser().open)
    authorization.registered.clear()
    authorization.access.clear()
    with pytest.raises(ToolFailed, match="wants a login"):
        await hosting.call("far", "add", a=1, b=2)
    kept = read_login(await hosting.needs.logins.read(guarded))
    assert kept is not None
    assert (kept.refusals, kept.is_gone) == (1, False)

    browser = Browser()
    assert (await hosting.host.authorize("far", browser.open)).state == "ready"

    # The person saw no page of an error.
    assert len(browser.pages) == 1
    assert authorization.asked.count("register") == 2


async def test_who_takes_no_registrations_says_how_to_register_by_hand(
    hosting: Hosting, authorization: Authorization, guarded: str
):
    authorization.takes_registrations = False
    port = hosting.needs.login_port
    with pytest.raises(ToolFailed, match=rf"127\.0\.0\.1:{port}/callback, and set its client_id"):
        await hosting.host.authorize("far", Browser().open)


@pytest.mark.parametrize(
    ("status", "said"), [(503, "does not work now: .* answers with 503"), (403, "refuses the reg")]
)
async def test_a_registration_that_fails_says_whether_to_try_again(
    hosting: Hosting, authorization: Authorization, guarded: str, status: int, said: str
):
    authorization.fail_next = [status]
    with pytest.raises(ToolFailed, match=said):
        await hosting.host.authorize("far", Browser().open)


@pytest.mark.parametrize("ways", [None, ["client_secret_basic"], ["client_secret_post"]])
async def test_a_registration_that_was_made_by_hand_logs_in_and_is_renewed(
    hosting: Hosting, authorization: Authorization, guarded: str, ways: list[str] | None
):
    hosting.servers = _by_hand(hosting, authorization, guarded)
    authorization.takes_registrations, authorization.ways = False, ways

    assert (await hosting.host.authorize("far", Browser().open)).state == "ready"
    authorization.access.clear()

    assert (await hosting.call("far", "add", a=1, b=2)).text == "3"
    assert authorization.asked == ["authorization_code", "refresh_token"]


async def test_a_wrong_secret_of_a_registration_by_hand_is_said_and_keeps_what_was(
    hosting: Hosting, authorization: Authorization, guarded: str
):
    right = hosting.servers = _by_hand(hosting, authorization, guarded)
    await hosting.host.authorize("far", Browser().open)
    before = await hosting.needs.logins.read(guarded)
    hosting.servers = [replace(right[0], client_secret="other")]
    with pytest.raises(ToolFailed, match="does not know the client_id 'by-hand', or not this"):
        await hosting.host.authorize("far", Browser().open)
    assert await hosting.needs.logins.read(guarded) == before


def _by_hand(hosting: Hosting, authorization: Authorization, url: str) -> list[McpServer]:
    redirect = f"http://127.0.0.1:{hosting.needs.login_port}/callback"
    authorization.registered["by-hand"] = {"redirect_uris": [redirect], "secret": "a b&c"}
    return [McpServer(name="far", url=url, client_id="by-hand", client_secret="a b&c")]


async def test_a_login_that_is_refused_keeps_what_was(
    hosting: Hosting, authorization: Authorization, guarded: str
):
    await hosting.host.authorize("far", Browser().open)
    before = await hosting.needs.logins.read(guarded)
    authorization.refuses = True
    with pytest.raises(ToolFailed, match="The login was refused: not today"):
        await hosting.host.authorize("far", Browser().open)
    assert await hosting.needs.logins.read(guarded) == before


async def test_a_port_that_is_taken_is_said(hosting: Hosting, guarded: str):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", hosting.needs.login_port))
        taken.listen()
        with pytest.raises(ToolFailed, match=r"port \d+ of this machine is used"):
            await hosting.host.authorize("far", Browser().open)
