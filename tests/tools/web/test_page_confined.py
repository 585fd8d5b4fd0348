"""What reads HTML is in the sandbox, as what reads PDF documents is."""

from dataclasses import replace
from pathlib import Path

import pytest

from plimsoll.tools.process.confinement.base import Sandbox
from plimsoll.tools.web import page_text
from tools.documents.test_pdf_confined import confining, rungs
from tools.web.test_page_text import LARGE, answer

pytestmark = pytest.mark.slow


@rungs
@pytest.mark.parametrize("whole", [False, True])
def test_a_page_is_read_in_it(sandbox: Sandbox, tmp_path: Path, caplog, monkeypatch, whole):
    pytest.importorskip("trafilatura")
    monkeypatch.setattr(page_text, "READING", replace(page_text.READING, seconds=120.0, cpu=100))
    text = page_text.page_text(answer(LARGE), confining(sandbox, tmp_path), whole=whole)
    assert "## Section 899" in text
    assert not caplog.records
