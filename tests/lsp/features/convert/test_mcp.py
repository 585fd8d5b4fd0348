"""What is offered of a server for completion: bounded, on one line, and only what can be named."""

from dataclasses import replace

from plimsoll.lsp.features.convert.mcp import server
from plimsoll.lsp.wire.base import dump
from plimsoll.tools.ports.mcp import McpArgument, McpOffer, McpPrompt, McpResource
from tools.mcp.memory_host import an_offer

BOX = an_offer()


def offers(offer: McpOffer) -> object:
    return dump(server(offer, None, 0)).get("offers")


def resources(*uris: str) -> McpOffer:
    return replace(BOX, resources=tuple(McpResource(server="box", uri=uri) for uri in uris))


def test_words_of_a_server_are_on_one_cut_line_with_nothing_hidden():
    arguments = (McpArgument(name="of", required=True), McpArgument(name="in"))
    described = "Praises.\n\x1b[31m" + "x" * 300
    prompt = McpPrompt(server="box", name="praise", description=described, arguments=arguments)
    resource = McpResource(server="box", uri="note://a", name="A\u200b", description="Rain.\n")
    found = server(replace(BOX, prompts=(prompt,), resources=(resource,)), None, 0).offers
    assert found is not None
    [shown] = found.prompts
    assert (shown.name, shown.hint) == ("praise", "of=… [in=…]")
    assert (shown.description or "").startswith("Praises. ⟨U+001B⟩[31mxxx")
    assert (shown.description or "").count("x") == 200 - len("Praises. \x1b[31m")
    assert [dump(each) for each in found.resources] == [
        {"uri": "note://a", "name": "A⟨U+200B⟩", "description": "Rain."}
    ]


def test_a_resource_is_offered_only_where_a_message_can_name_it():
    named = resources(
        "note://a", "note://a b", 'note://"', "note://a.", "note://\u200b", "n:a" * 400
    )
    template = McpResource(server="box", uri="note://{id}", is_template=True)
    found = offers(replace(named, resources=(*named.resources, template)))
    assert found == {"prompts": [], "resources": [{"uri": "note://a"}]}


def test_at_most_a_hundred_of_each_are_offered():
    prompts = tuple(McpPrompt(server="box", name=f"p{at}") for at in range(101))
    many = replace(resources(*(f"note://{at}" for at in range(101))), prompts=prompts)
    found = server(many, None, 0).offers
    assert found is not None
    assert (len(found.prompts), len(found.resources)) == (100, 100)


def test_a_server_that_is_off_offers_nothing():
    assert offers(BOX) == {"prompts": [], "resources": []}
    assert offers(replace(BOX, state="off")) is None
    assert offers(replace(BOX, server=replace(BOX.server, enabled=False))) is None
