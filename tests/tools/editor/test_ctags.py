"""A real Universal Ctags, where one is installed."""

from dataclasses import replace

import pytest

from plimsoll.tools.editor.ctags import CtagsFailed, parse_symbols, usable_ctags
from plimsoll.tools.search.halt import Halt

pytestmark = pytest.mark.slow


@pytest.fixture
def context(context, ctags):
    return replace(context, environment={**context.environment, "PATH": ctags})


async def test_the_outline_and_a_definition(use):
    assert (await use("symbols", path="ledger.py")).text == (
        "ledger.py:1-8 class Ledger\nledger.py:4-5 member Ledger.__init__\n"
        "ledger.py:7-8 member Ledger.count\nledger.py:11-12 function empty\n[by ctags]"
    )
    assert (await use("definition", symbol="Ledger.count")).text == (
        "ledger.py:7: def count(self):\n[by ctags]"
    )
    assert (await use("symbols", query="coun")).text == (
        "ledger.py:7-8 member Ledger.count\n[by ctags]"
    )


async def test_a_changed_file_is_read_again_and_a_buffer_counts(use, root, buffers):
    await use("symbols", query="count")
    (root / "ledger.py").write_text("def counted():\n    pass\n")
    assert "ledger.py:1-2 function counted" in (await use("symbols", query="count")).text
    buffers.texts[root / "ledger.py"] = "\n\ndef count_all():\n    pass\n"
    assert "ledger.py:3-4 function count_all" in (await use("symbols", query="count")).text


async def test_no_configuration_of_the_folder_is_read(use, root):
    (root / ".ctags.d").mkdir()
    (root / ".ctags.d" / "a.ctags").write_text("--regex-Python=/^(print)/\\1/x/\n")
    assert "[no symbols]" in (await use("symbols", query="print")).text


async def test_one_of_the_workspace_is_not_run(root, context):
    program = root / "ctags"
    program.write_text("#!/bin/sh\ntouch ran\n")
    program.chmod(0o755)
    assert usable_ctags(replace(context, environment={"PATH": str(root)})) is None


async def test_another_program_of_that_name_gives_way_to_the_text(use, root, context, tmp_path):
    program = tmp_path / "bin" / "ctags"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho no\n")
    program.chmod(0o755)
    found = usable_ctags(replace(context, environment={"PATH": str(program.parent)}))
    assert found == str(program)
    with pytest.raises(CtagsFailed):
        list(parse_symbols(found, [(root / "a.py", b"def f(): pass\n")], context, Halt(5)))


async def test_the_end_of_the_search_ends_it(context, root):
    halt = Halt(30)

    def texts():
        yield root / "a.py", b"def f(): pass\n"
        halt.cancel()
        yield root / "b.py", b"def g(): pass\n"

    program = usable_ctags(context)
    found = dict(parse_symbols(program, texts(), context, halt))
    assert list(found) == [root / "a.py"]
