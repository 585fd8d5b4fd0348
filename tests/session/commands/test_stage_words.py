"""Each stage has its words wherever people read of a reduction."""

import re
from pathlib import Path

from plimsoll.context.log.entries import Stage
from plimsoll.session.commands.markdown import WORDS

ROOT = Path(__file__).parents[3]
NEOVIM = ROOT / "server/plimsoll/editors/nvim/lua/plimsoll/words.lua"
VS_CODE = ROOT / "client-vscode/src/session/labels/receipts.ts"


def block(file: Path, opening: str) -> str:
    return file.read_text("utf-8").partition(opening)[2].partition("\n}")[0]


def test_every_stage_has_words():
    assert WORDS.keys() == {*Stage}


def test_neovim_has_the_words_of_every_stage():
    rows = re.findall(r'(\w+) = \{ "(.+)", "(.+)" \}', block(NEOVIM, "local STAGES = {"))
    assert {name: (done, what) for name, done, what in rows} == dict(WORDS)


def test_vs_code_has_the_words_of_every_stage():
    row = r'(\w+): \{ done: "(.+?)", could: ".+?", what: (?:(items)|\(n\) => plural\(n, "(.+?)"\))'
    rows = re.findall(row, " ".join(block(VS_CODE, "STAGE_WORDS").split()))
    told = {name: (done, "item" if items else what) for name, done, items, what in rows}
    assert told == dict(WORDS)
