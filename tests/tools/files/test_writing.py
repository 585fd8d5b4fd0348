"""``file_edit`` and ``file_write`` on real files and open buffers."""

import asyncio
import codecs
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from plimsoll.errors import ToolFailed
from plimsoll.tools.files import content
from plimsoll.tools.files.editing import Replacement, apply_change


def leftovers(root: Path) -> list[str]:
    return [path.name for path in root.rglob("*.tmp")]


async def test_an_edit(use, prepare, root):
    (root / "a.py").write_text("one\ntwo\n")
    arguments = {"path": "a.py", "old_string": "two", "new_string": "deux"}
    intent = prepare("file_edit", **arguments)
    assert (intent.title, intent.ask, intent.approval) == ("Edit a.py", True, "edit:a.py")
    assert intent.diff == "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n one\n-two\n+deux"
    outcome = await use("file_edit", **arguments)
    assert outcome.text == "Changed a.py (+1 -1 lines)."
    assert (root / "a.py").read_text() == "one\ndeux\n"
    assert leftovers(root) == []


async def test_a_new_file_in_new_folders(use, prepare, root):
    intent = prepare("file_write", path="x/y/z.txt", content="a\n")
    assert intent.diff == "--- /dev/null\n+++ b/x/y/z.txt\n@@ -0,0 +1,1 @@\n+a"
    assert not (root / "x").exists()
    outcome = await use("file_write", path="x/y/z.txt", content="a\n")
    assert outcome.text == "Created x/y/z.txt (+1 -0 lines)."
    assert (root / "x/y/z.txt").read_text() == "a\n"
    assert leftovers(root) == []


async def test_a_new_file_obeys_the_umask(use, root):
    before = os.umask(0o027)
    try:
        await use("file_write", path="a", content="x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((root / "a").stat().st_mode) == 0o640


KEPT = {
    "windows endings": (b"a\r\nb\r\n", b"a\r\nc\r\n"),
    "mark": (codecs.BOM_UTF8 + b"b\n", codecs.BOM_UTF8 + b"c\n"),
    "mark and windows endings": (codecs.BOM_UTF8 + b"a\r\nb", codecs.BOM_UTF8 + b"a\r\nc"),
    "utf-16": (
        codecs.BOM_UTF16_LE + "é\r\nb".encode("utf-16-le"),
        codecs.BOM_UTF16_LE + "é\r\nc".encode("utf-16-le"),
    ),
    "latin-1": (b"\xe9\nb\n", b"\xe9\nc\n"),
    "no last line feed": (b"a\nb", b"a\nc"),
}


@pytest.mark.parametrize(("before", "after"), KEPT.values(), ids=KEPT.keys())
@pytest.mark.parametrize("name", ["file_edit", "file_write"])
async def test_what_is_not_changed_is_kept(name, before, after, use, root):
    path = root / "a.sh"
    path.write_bytes(before)
    path.chmod(0o751)
    if name == "file_edit":
        await use(name, path="a.sh", old_string="b", new_string="c")
    else:
        text = before.removeprefix(codecs.BOM_UTF8)
        text = text.decode("utf-16" if b"\0" in before else "latin-1").replace("\r\n", "\n")
        await use(name, path="a.sh", content=text.replace("b", "c"))
    assert path.read_bytes() == after
    assert stat.S_IMODE(path.stat().st_mode) == 0o751


async def test_a_character_that_the_encoding_lacks(use, root):
    (root / "a").write_bytes(b"\xe9 b\n")
    with pytest.raises(ToolFailed, match=r"a is latin-1, which has no '\\u20ac'"):
        await use("file_edit", path="a", old_string="b", new_string="€")
    assert (root / "a").read_bytes() == b"\xe9 b\n"
    assert leftovers(root) == []


OTHERS = {
    "shift_jis": ("こんにちは世界\r\nname=x\r\n", "x", "設定"),
    "gbk": ("文件名称\nname=x", "x", "错误"),
    "big5": ("檔案名稱錯誤\nname=x\n", "x", "設定"),
    "cp949": ("사용자 이름과 비밀번호\nname=x\n", "x", "파일"),
    "euc_jp": ("こんにちは世界\nname=x\n", "x", "設定"),
    "cp1252": ("“Größe” wählen für größer\nname=x\n", "x", "é"),
    "utf-16-le": ("plain\nname=x\n", "x", "日本"),
    "utf-16-be": ("plain\nname=x\n", "x", "日本"),
}


@pytest.mark.parametrize(("encoding", "case"), OTHERS.items(), ids=OTHERS.keys())
async def test_an_edit_is_written_in_the_encoding_of_the_file(encoding, case, use, root):
    text, old, new = case
    (root / "a").write_bytes(text.encode(encoding))
    await use("file_edit", path="a", old_string=f"name={old}", new_string=f"name={new}")
    assert (root / "a").read_bytes() == text.replace("=x", f"={new}").encode(encoding)


async def test_a_character_that_two_possible_encodings_write_differently(use, root):
    before = "日本\nname=x\n".encode("shift_jis")
    (root / "a").write_bytes(before)
    with pytest.raises(ToolFailed, match="have it converted to UTF-8 first"):
        await use("file_edit", path="a", old_string="name=x", new_string="name=値")
    assert (root / "a").read_bytes() == before
    await use("file_edit", path="a", old_string="name=x", new_string="name=日")
    assert (root / "a").read_bytes() == "日本\nname=日\n".encode("shift_jis")


PIECES = [
    *(word.encode() for word in ("größe", "日本", "x = 1", "\uef81")),
    *("größe “x”".encode("cp1252"), "設定ファイル".encode("shift_jis"), "文件名".encode("gbk")),
    *(b"\r\n", b"\n", b"\r", b"\xff", b"\x81", b"\x87\x90", b"\xed\x40", b"\x8f\xa1", b"\t"),
]
MIXED = st.lists(st.one_of(st.sampled_from(PIECES), st.binary(max_size=3)), max_size=12)


@given(MIXED.map(b"".join), MIXED.map(b"".join), st.booleans())
@settings(max_examples=int(os.environ.get("BYTE_MIXES", "150")), deadline=None)
def test_all_bytes_outside_of_an_edit_stay(before, after, marked):
    """The law of every encoding, for any mix of bytes around the edit."""
    mark = codecs.BOM_UTF8 if marked else b""
    data = mark + before + b"\nold = 1\n" + after
    like = content.decode(data)
    assume(like is not None and like.text.count("\nold = 1\n") == 1)
    new = apply_change(like.text, Replacement("old = 1", "new = 22"), "a")
    assert content.encode(new, like) == mark + before + b"\nnew = 22\n" + after


async def test_an_open_buffer_is_changed_through_the_editor(use, root, buffers):
    (root / "a").write_text("on disk\n")
    buffers.texts[root / "a"] = "unsaved\r\ntext\r\n"
    await use("file_edit", path="a", old_string="text", new_string="x\ny")
    assert buffers.texts[root / "a"] == "unsaved\r\nx\r\ny\r\n"
    assert buffers.labels == ["Edit a"]
    assert (root / "a").read_text() == "on disk\n"


async def test_an_editor_that_takes_no_edits(use, root, buffers):
    (root / "a").write_text("saved\n")
    buffers.takes_edits = False
    buffers.texts[root / "a"] = "saved\n"
    await use("file_edit", path="a", old_string="saved", new_string="x")
    assert (root / "a").read_text() == "x\n"
    buffers.texts[root / "a"] = "unsaved\n"
    with pytest.raises(ToolFailed, match="a has unsaved changes in an editor that takes no edits"):
        await use("file_edit", path="a", old_string="unsaved", new_string="y")
    assert (root / "a").read_text() == "x\n"


@pytest.mark.parametrize("name", ["file_edit", "file_write"])
@pytest.mark.parametrize("moved", ["disk", "buffer", "opened", "deleted", "created"])
async def test_ground_that_has_moved(name, moved, tools, context, root, buffers):
    path = root / "a"
    if moved != "created" or name == "file_edit":
        path.write_text("one\n")
    if moved == "buffer":
        buffers.texts[path] = "one\n"
    arguments = {
        "file_edit": {"path": "a", "old_string": "one", "new_string": "two"},
        "file_write": {"path": "a", "content": "two\n"},
    }
    intent = tools[name].prepare(arguments[name], context)
    match moved:
        case "disk" | "created":
            path.write_text("one one\n")
        case "deleted":
            path.unlink()
        case _:
            buffers.texts[path] = "one one\n"
    with pytest.raises(ToolFailed, match=r"has changed since|does not exist"):
        await tools[name].run(intent, context)
    texts = [*buffers.texts.values(), *(file.read_text() for file in root.iterdir())]
    assert not any("two" in text for text in texts)
    assert leftovers(root) == []


async def test_a_buffer_that_opens_with_the_same_text_is_no_change(tools, context, root, buffers):
    (root / "a").write_text("one\n")
    arguments = {"path": "a", "old_string": "one", "new_string": "two"}
    intent = tools["file_edit"].prepare(arguments, context)
    buffers.texts[root / "a"] = "one\n"
    await tools["file_edit"].run(intent, context)
    assert buffers.texts[root / "a"] == "two\n"


async def test_outside_nothing_is_read_to_ask(tools, context, root):
    outside = root.parent / "outside.txt"
    outside.write_text("secret one\n")
    arguments = {"path": str(outside), "old_string": "one", "new_string": "two"}
    intent = tools["file_edit"].prepare(arguments, context)
    assert "secret" not in intent.diff
    assert intent.diff.split("\n")[3:] == [
        "-one",
        "\\ No newline at end of file",
        "+two",
        "\\ No newline at end of file",
    ]
    await tools["file_edit"].run(intent, context)
    assert outside.read_text() == "secret two\n"


async def test_outside_what_does_not_fit_is_said_after_asking(tools, context, root):
    outside = root.parent / "outside.txt"
    outside.write_text("x\n")
    arguments = {"path": str(outside), "old_string": "one", "new_string": "two"}
    intent = tools["file_edit"].prepare(arguments, context)
    with pytest.raises(ToolFailed, match="does not occur"):
        await tools["file_edit"].run(intent, context)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"path": "a", "old_string": "", "new_string": "x"}, "use file_write"),
        ({"path": "a", "old_string": "x", "new_string": "x"}, "are the same"),
        ({"path": "b", "old_string": "x", "new_string": "y"}, "b does not exist"),
        ({"path": "a"}, "old_string is missing; new_string is missing"),
    ],
)
def test_bad_edits(arguments, told, prepare, root):
    (root / "a").write_text("one\n")
    with pytest.raises(ToolFailed, match=told):
        prepare("file_edit", **arguments)


@pytest.mark.parametrize("name", ["file_edit", "file_write"])
async def test_a_binary_file_is_left_alone(name, use, root):
    (root / "a.png").write_bytes(b"\x89PNG\0")
    given = {"content": "x"} if name == "file_write" else {"old_string": "P", "new_string": "x"}
    with pytest.raises(ToolFailed, match=r"a\.png is binary: a PNG image\. It is left as it is"):
        await use(name, path="a.png", **given)


@pytest.mark.parametrize("name", ["file_edit", "file_write"])
async def test_a_huge_file_is_left_alone(name, use, root):
    with (root / "a").open("wb") as file:
        file.truncate(200_000_000)
    given = {"content": "x"} if name == "file_write" else {"old_string": "P", "new_string": "x"}
    with pytest.raises(ToolFailed, match=r"a has more than 20\.0 MB"):
        await use(name, path="a", **given)


async def test_other_names_of_a_file_change_with_it_and_each_time_is_asked(use, prepare, root):
    """One of them may lie outside, so that no word for the folder covers it."""
    outside = root.parent / "outside.txt"
    outside.write_text("one\n")
    (root / "a").hardlink_to(outside)
    asked = prepare("file_write", path="a", content="two\n")
    assert (asked.wider, asked.lasting) == (None, ())
    assert "other names" in (asked.why_each_time or "")
    assert asked.approval != prepare("file_write", path="a", content="two\n").approval
    await use("file_write", path="a", content="two\n")
    assert (outside.read_text(), (root / "a").read_text()) == ("two\n", "two\n")


async def test_a_name_that_comes_after_the_question_stops_the_change(tools, prepare, context, root):
    (root / "a").write_text("one\n")
    asked = prepare("file_write", path="a", content="two\n")
    (root.parent / "outside.txt").hardlink_to(root / "a")
    with pytest.raises(ToolFailed, match="another name"):
        await tools["file_write"].run(asked, context)
    assert (root / "a").read_text() == "one\n"


async def test_a_link_inside_is_kept_and_its_target_changed(use, prepare, root):
    (root / "real.txt").write_text("one\n")
    (root / "link.txt").symlink_to("real.txt")
    assert prepare("file_write", path="link.txt", content="two\n").title == "Write real.txt"
    await use("file_write", path="link.txt", content="two\n")
    assert (root / "link.txt").is_symlink()
    assert (root / "real.txt").read_text() == "two\n"


async def test_a_cancelled_write_has_no_later_effect(tools, context, root):
    for number in range(30):
        path = root / f"{number}.txt"
        intent = tools["file_write"].prepare({"path": path.name, "content": "x" * 10_000}, context)
        task = asyncio.ensure_future(tools["file_write"].run(intent, context))
        for _ in range(number % 6):
            await asyncio.sleep(0)
        task.cancel()
        done = await asyncio.gather(task, return_exceptions=True)
        before = sorted(entry.name for entry in root.iterdir())
        await asyncio.to_thread(os.sync)
        assert sorted(entry.name for entry in root.iterdir()) == before, done
        assert leftovers(root) == []


async def test_a_write_is_waited_for_however_often_it_is_cancelled(tools, context, root):
    go, writing = Event(), asyncio.Event()

    class Held(ThreadPoolExecutor):
        """Runs the look for a buffer, and the write behind it no sooner than it may go."""

        def submit(self, function, /, *arguments, **named):
            if writing_next:
                writing.set()
                super().submit(go.wait)
            writing_next.append(function)
            return super().submit(function, *arguments, **named)

    writing_next: list[object] = []
    asyncio.get_running_loop().set_default_executor(Held(1))
    intent = tools["file_write"].prepare({"path": "a", "content": "one\n"}, context)
    task = asyncio.ensure_future(tools["file_write"].run(intent, context))
    await writing.wait()
    for _ in range(3):
        await turns_of_the_loop()
        task.cancel()
    await turns_of_the_loop()
    waits = not task.done()
    go.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert waits
    assert (root / "a").read_text() == "one\n"


async def turns_of_the_loop() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_many_edits_at_once_lose_nothing(use, root):
    async def edit(number: int) -> None:
        await use("file_write", path=f"{number}.txt", content=f"{number}\n")

    await asyncio.gather(*map(edit, range(40)))
    assert {path.read_text() for path in root.iterdir()} == {f"{n}\n" for n in range(40)}


async def test_what_is_typed_before_a_replacement_arrives_stays(use, root, buffers):
    (root / "a").write_text("one\n")
    buffers.texts[root / "a"] = "one\ntwo\n"
    buffers.typing = ["typed\none\ntwo\n"]
    outcome = await use("file_edit", path="a", old_string="two", new_string="2")
    assert outcome.text == "Changed a (+1 -1 lines)."
    assert buffers.texts[root / "a"] == "typed\none\n2\n"


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("file_edit", {"old_string": "two", "new_string": "2"}),
        ("file_write", {"content": "all new\n"}),
    ],
)
async def test_who_goes_on_typing_is_told_and_loses_nothing(name, given, use, root, buffers):
    (root / "a").write_text("one\ntwo\n")
    buffers.texts[root / "a"] = "one\ntwo\n"
    buffers.typing = ["t\none\ntwo\n", "ty\none\ntwo\n"]
    with pytest.raises(ToolFailed, match="was typed in while it was to be changed"):
        await use(name, path="a", **given)
    assert buffers.texts[root / "a"].endswith("\none\ntwo\n")
    assert (root / "a").read_text() == "one\ntwo\n"
