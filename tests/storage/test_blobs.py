import os

import pytest

from plimsoll.redaction.secrets import Secrets
from plimsoll.storage.locate import ProjectPaths
from plimsoll.storage.spill import Spills, remove_folder
from plimsoll.text.lines import version_of


@pytest.fixture
def spills(paths: ProjectPaths) -> Spills:
    return Spills(paths, Secrets({}))


@pytest.mark.parametrize("text", ["", "Grüße\r\n", "\ud800 alone", "x" * 100_000])
def test_a_text_is_found_by_its_version_and_kept_once(spills: Spills, text: str) -> None:
    blobs = spills.blobs("s1")

    assert {blobs.keep(text), blobs.keep(text)} == {version_of(text)}

    assert blobs.read(version_of(text)) == text
    (path,) = blobs.folder.iterdir()
    assert path.stat().st_mode & 0o777 == 0o600
    assert spills.blobs("s2").read(version_of(text)) is None


def test_what_is_damaged_or_a_link_is_not_there_and_is_kept_anew(spills: Spills) -> None:
    blobs = spills.blobs("s1")
    forged, linked = blobs.keep("one"), blobs.keep("two")
    (blobs.folder / forged).write_text("forged")
    (blobs.folder / linked).rename(blobs.folder / "elsewhere")
    (blobs.folder / linked).symlink_to(blobs.folder / "elsewhere")

    assert (blobs.read(forged), blobs.read(linked), blobs.read("../x")) == (None, None, None)

    blobs.keep("one")
    blobs.keep("two")
    assert (blobs.read(forged), blobs.read(linked)) == ("one", "two")
    assert (blobs.folder / "elsewhere").read_text() == "two"


def test_old_blobs_and_half_written_ones_are_swept_and_used_ones_stay(spills: Spills) -> None:
    blobs = spills.blobs("s1")
    old, used = blobs.keep("old"), blobs.keep("used")
    half = blobs.folder / f".{old}.0123456789abcdef"
    half.write_text("ol")
    now = half.stat().st_mtime
    for path in blobs.folder.iterdir():
        os.utime(path, (now - 8 * 86_400, now - 8 * 86_400))
    blobs.keep("used")

    assert spills.sweep(7, now) == 2

    assert [path.name for path in blobs.folder.iterdir()] == [used]


def test_they_go_with_the_folder_of_their_session(spills: Spills, paths: ProjectPaths) -> None:
    blobs = spills.blobs("s1")
    version = blobs.keep("text")
    remove_folder(paths.session("s1"))
    assert blobs.read(version) is None


@pytest.mark.parametrize("links", [True, False])
def test_another_session_takes_them_over_as_old_as_they_are(
    spills: Spills, paths: ProjectPaths, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError

    if not links:
        monkeypatch.setattr(os, "link", refused)
    source, fork = spills.blobs("s1"), spills.blobs("s2")
    kept, both, other = source.keep("kept"), source.keep("both"), source.keep("other")
    fork.keep("both")
    os.utime(source.folder / kept, (1_000, 1_000))

    fork.take_from("s1", [kept, both, version_of("never kept"), "../../s1/checkpoints"])

    remove_folder(paths.session("s1"))
    assert [fork.read(each) for each in (kept, both, other)] == ["kept", "both", None]
    assert {path.stat().st_mode & 0o777 for path in fork.folder.iterdir()} == {0o600}
    assert (fork.folder / kept).stat().st_mtime == 1_000


def test_where_nothing_is_taken_over_no_folder_is_made(spills: Spills) -> None:
    spills.blobs("s2").take_from("s1", [])
    assert not spills.blobs("s2").folder.exists()
