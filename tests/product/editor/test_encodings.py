"""Files of other encodings, through the server: read, found, edited, undone, byte for byte."""

import codecs
from collections.abc import Iterator

from product.harness import Product

# Encoding, what the reader is told of it, mark, text with one line `name=x`, what is put for x.
FILES = {
    "latin": ("latin-1", "latin-1", b"", "# größe\r\nname=x\n# façade\n", "ö"),
    "windows": ("cp1252", "cp1252", b"", "# “größe” € naïve\nname=x\n", "é"),
    "japanese": ("shift_jis", "shift_jis", b"", "; 設定ファイルの名前\nname=x\r\n", "設定"),
    "chinese": ("gbk", "gbk", b"", "; 配置文件的名称\nname=x\n", "文件"),
    "korean": ("euc_kr", "cp949", b"", "; 설정 파일의 이름입니다\nname=x\n", "파일"),
    "little": ("utf-16-le", "utf-16-le", codecs.BOM_UTF16_LE, "größe 設定\r\nname=x\n", "値"),
    "big": ("utf-16-be", "utf-16-be", codecs.BOM_UTF16_BE, "größe 設定\nname=x\n", "値"),
    "little_unmarked": ("utf-16-le", "utf-16-le", b"", "größe of all\nname=x\n", "é"),
    "big_unmarked": ("utf-16-be", "utf-16-be", b"", "größe of all\r\nname=x\n", "é"),
}
PERMISSION = "plimsoll/session/requestPermission"


def call(name: str, **arguments: str) -> dict[str, object]:
    return {"name": name, "arguments": arguments}


def edit(name: str) -> dict[str, object]:
    put = FILES[name][-1]
    return call("file_edit", path=name, old_string="name=x", new_string=f"name={put}")


def steps() -> Iterator[dict[str, object]]:
    """A turn for each file, and one that changes all of them once more."""
    for name in FILES:
        look = [call("file_read", path=name), call("grep", pattern="^name=x", path=name)]
        yield {"calls": look}
        yield {"calls": [edit(name)]}
        yield {"text": "Done."}
    yield {"calls": [edit(name) for name in FILES]}
    yield {"text": "Done."}


def results(product: Product, session: str) -> list[str]:
    messages = product.call("plimsoll/session/view", {"sessionId": session})["messages"]
    return [each["content"] for each in messages if each["role"] == "tool"]


def test_a_file_of_another_encoding_keeps_all_bytes_but_those_that_were_asked_for(start):
    product = start({"steps": list(steps())})
    before = {
        name: mark + text.encode(encoding) for name, (encoding, _, mark, text, _) in FILES.items()
    }
    after = {
        name: mark + text.replace("=x", f"={put}").encode(encoding)
        for name, (encoding, _, mark, text, put) in FILES.items()
    }
    for name, data in before.items():
        (product.workspace / name).write_bytes(data)
    product.responses[PERMISSION] = {"outcome": "selected", "optionId": "allowOnce"}
    product.open()
    session = product.new_session()
    owner = {"sessionId": session}

    def on_disk() -> dict[str, bytes]:
        return {name: (product.workspace / name).read_bytes() for name in FILES}

    for name, (_, said, _, text, _) in FILES.items():
        product.turn(session, f"change {name}")
        read, found, _edited = results(product, session)[-3:]
        assert said in read.splitlines()[-1] or said in read.splitlines()[0], read
        assert all(line in read for line in text.split()), read
        assert "name=x" in found, (name, found)
        assert (product.workspace / name).read_bytes() == after[name]

    changed = product.call("plimsoll/hunk/list", owner)["files"]
    assert sorted(file["uri"].rpartition("/")[2] for file in changed) == sorted(FILES)
    ids = [(file["uri"], [hunk["id"] for hunk in file["hunks"]]) for file in changed]
    for uri, hunks in ids:
        product.call("plimsoll/hunk/undo", {**owner, "uri": uri, "hunkIds": hunks})
    assert on_disk() == before

    product.turn(session, "change all")
    assert on_disk() == after
    folder = {"workspaceFolder": product.uri, "sessionId": session}
    first = product.call("plimsoll/session/load", folder)["messages"][0]["id"]
    back = {**owner, "messageId": first, "restoreFiles": True}
    done = product.call("plimsoll/session/rewind", back)
    assert on_disk() == before, done
