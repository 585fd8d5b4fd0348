"""Searches at services on loopback that speak as SearXNG, Brave and Tavily do."""

import json
import subprocess

import pytest

from plimsoll.errors import ToolFailed
from plimsoll.network.proxies import Network
from plimsoll.tools.web.web_search import WebSearch
from providers.networks.certificates import Authority, make_authority
from tools.web.pages import NAME, page, redirect, resolving, serving, web

pytestmark = pytest.mark.slow

HITS = [
    {"title": "Ships", "url": "https://example.org/1", "content": "Sail\n fast."},
    {"title": "", "url": "https://example.org/2"},
    {"title": "without an address"},
    "nonsense",
]
LISTED = (
    "1. Ships\nhttps://example.org/1\nSail fast.\n\n2. https://example.org/2\nhttps://example.org/2"
)
VENDORS = {
    "api.search.brave.com": (
        "/res/v1/web/search",
        {"web": {"results": [{**HITS[0], "description": "Sail\n fast."}, *HITS[1:]]}},
    ),
    "api.tavily.com": ("/search", {"results": HITS}),
}


@pytest.fixture(scope="module")
def authority(tmp_path_factory) -> Authority:
    return make_authority(tmp_path_factory.mktemp("authority"))


def json_page(found: object) -> bytes:
    return page(json.dumps(found).encode(), "application/json")


async def search(there, context, query="ships & masts", **more):
    tool = WebSearch(there)
    return (await tool.run(tool.prepare({"query": query, **more}, context), context)).text


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("/", "/search?q=ships+%26+masts&format=json"),
        ("/sx/search?language=de", "/sx/search?language=de&q=ships+%26+masts&format=json"),
    ],
)
async def test_a_searxng_is_asked(context, url, target):
    async with serving() as pages:
        pages.answers[target] = json_page({"results": HITS})
        url = f"http://127.0.0.1:{pages.port}{url}"
        text = await search(web(search_url=url, allow_hosts=()), context)
    assert text == f"[from http://127.0.0.1:{pages.port}]\n\n{LISTED}"


async def test_so_many_are_listed_as_are_wanted(context):
    async with serving() as pages:
        pages.answers["/search?q=a&format=json"] = json_page({"results": HITS})
        there = web(search_url=f"http://127.0.0.1:{pages.port}")
        assert (await search(there, context, "a", limit=1)).count("https://") == 1
        pages.answers["/search?q=a&format=json"] = json_page({})
        assert (await search(there, context, "a")).endswith("Nothing was found.")


@pytest.mark.parametrize("host", VENDORS)
async def test_a_vendor_is_asked_as_it_wants_to_be(host, context, authority):
    path, found = VENDORS[host]
    (authority.folder / "names").write_text(f"subjectAltName=DNS:{host}\n")
    make_for(authority, host)
    async with serving(authority.context(host)) as pages:
        pages.answers = {f"{path}?q=a&count=8": json_page(found), path: json_page(found)}
        network = Network(ca_files=(authority.root,))
        url = f"https://{host}:{pages.port}{path}"
        there = web(
            resolving({host: ["127.0.0.1"]}), network, search_url=url, search_key="canary-key"
        )
        text = await search(there, context, "a")
    assert LISTED in text
    assert pages.names == [host]
    if host == "api.tavily.com":
        assert "Authorization: Bearer canary-key" in pages.heads[0]
        assert json.loads(pages.bodies[0]) == {"query": "a", "max_results": 8}
    else:
        assert "X-Subscription-Token: canary-key" in pages.heads[0]


def make_for(authority: Authority, host: str) -> None:
    words = "x509 -req -in server.csr -CA root.pem -CAkey root.key -CAcreateserial -extfile names"
    command = ["openssl", *words.split(), "-days", "9", "-out", f"{host}.pem"]
    subprocess.run(command, cwd=authority.folder, check=True, capture_output=True)


async def test_a_key_is_not_sent_over_plain_http_to_another_machine(context):
    there = web(search_url=f"http://{NAME}:1/", search_key="canary-key")
    with pytest.raises(ToolFailed, match="not sent over plain http"):
        await search(there, context)


@pytest.mark.parametrize(
    "answer",
    [
        page(b"<html>", "text/html"),
        page(b"[]", "application/json"),
        page(b'{"results": 5}', "application/json"),
        page(b"[" * 100_000, "application/json"),
        page(b"{}", status="403 Forbidden"),
        redirect("http://127.0.0.1:1/"),
    ],
)
async def test_what_is_no_answer_of_a_service_fails(answer, context):
    async with serving() as pages:
        pages.answers["/search?q=a&format=json"] = answer
        with pytest.raises(ToolFailed):
            await search(web(search_url=f"http://127.0.0.1:{pages.port}"), context, "a")
    assert len(pages.heads) == 1


async def test_a_service_that_was_changed_meanwhile_is_not_asked(context):
    urls = ["http://127.0.0.1:1/", "http://127.0.0.1:2/"]
    tool = WebSearch(web(search_url=urls[0]))
    intent = tool.prepare({"query": "a"}, context)
    tool = WebSearch(web(search_url=urls[1]))
    with pytest.raises(ToolFailed, match="changed meanwhile"):
        await tool.run(intent, context)
