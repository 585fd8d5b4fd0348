"""What a rules file points on to, over the wire and in the terminal's report."""

RULES = "Always write tests first."


def instructions(product, session):
    params = {"sessionId": session, "detail": "detail"}
    found = product.call("plimsoll/context/report", params)["items"]
    return next(each for each in found if each["id"] == "frame.instructions")


def test_what_a_rules_file_names_stands_in_the_report(start):
    product = start({"mode": "echo"})
    (product.workspace / "docs").mkdir()
    (product.workspace / "docs" / "rules.md").write_text(RULES)
    (product.workspace / "AGENTS.md").write_bytes(b"@docs/rules.md\r@none.md\r@../out.md")
    product.open()
    session = product.new_session()
    product.turn(session, "hello")
    item = instructions(product, session)
    tokens = item["imports"][0]["tokens"]
    assert 0 < tokens < item["tokens"]
    assert item["imports"] == [
        {"path": "docs/rules.md", "outcome": "followed", "tokens": tokens},
        {"path": "none.md", "outcome": "missing", "tokens": 0},
        {"path": "../out.md", "outcome": "outside", "tokens": 0},
    ]
    product.call("shutdown")
    product.notify("exit")
    assert product.wait_closed() == 0

    later = start({"mode": "echo"})
    later.open()
    params = {"sessionId": session, "workspaceFolder": later.uri}
    later.call("plimsoll/session/load", params)
    assert instructions(later, session)["imports"] == item["imports"]
