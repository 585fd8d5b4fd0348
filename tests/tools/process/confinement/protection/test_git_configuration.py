"""What git's configuration names that git runs or reads on: by git's own rules of writing."""

from pathlib import Path

import pytest

from plimsoll.tools.process.confinement.protection.git.configuration import (
    Configurations,
    Named,
    entries,
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("\ufeff[Core]\n\tEditor = vi\n", [("core.editor", "vi")]),
        ("[core] editor = vi ; note\n", [("core.editor", "vi")]),
        ("[core]\nbare\neditor=vi # note", [("core.bare", "true"), ("core.editor", "vi")]),
        ('[Remote "Or\\"igin\\\\"]\nURL = a', [('remote.Or"igin\\.url', "a")]),
        ('[a]\nb = "x # y" z\\\n w  \n', [("a.b", "x # y z w")]),
        ('[a]\nb = "1\\t2\\n3\\"\\\\"\nc = 2', [("a.b", '1\t2\n3"\\'), ("a.c", "2")]),
        ("; note\n# note\n?? lost\n[a]\nb = 1\n?\nc = 2\n", [("a.b", "1"), ("a.c", "2")]),
        ('[ a ]\n[ b "c" ]\nd-1 = e\n', [("b.c.d-1", "e")]),
    ],
)
def test_keys_and_values_are_read_as_git_reads_them(text: str, found: list[tuple[str, str]]):
    assert [*entries(text)] == found


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config"


def named(file: Path, text: str) -> Named:
    file.write_text(text)
    return Configurations("/home/ada").named_by([str(file)])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[core]\neditor = ~/bin/vi -w 7", ("/home/ada/bin/vi",)),
        ("[diff]\nexternal = \"sh -c 'a;b'|c\" ; d", ("sh", "a", "b", "c")),
        ("[pull]\nrebase = Always\n[gc]\nauto = 12\n[x]\ny = -", ()),
        ('[user]\nname = Ada\n[remote "o"]\nurl = ext::sh\nvcs = mine', ("mine",)),
        ("[alias]\nco = checkout\nrun = !./run.sh", ("./run.sh",)),
        ("[core]\nworktree = ../a\nexcludesFile = b\nfsmonitor = c", ("c",)),
        ('[submodule "s"]\npath = s\nupdate = !d', ("d",)),
    ],
)
def test_words_that_may_be_programs_are_named_and_data_is_not(
    file: Path, text: str, words: tuple[str, ...]
):
    assert named(file, text) == Named(words=words)


def test_folders_of_hooks_are_named_where_they_are_set(file: Path):
    found = named(file, "[core]\nhooksPath = ~/hooks\n[init]\ntemplateDir = t")
    assert found == Named(folders=("/home/ada/hooks", "t"))


def test_what_is_included_is_read_on_whatever_its_condition(file: Path):
    (file.parent / "more").write_text("[core]\neditor = vi\n[include]\npath = gone")
    text = '[include]\npath = more\n[includeIf "onbranch:x"]\npath = /gone\n[includeIf "y"]\nz = 1'
    at = str(file.parent)
    assert named(file, text) == Named(included=(f"{at}/more", f"{at}/gone", "/gone"), words=("vi",))


def test_includes_are_followed_as_deep_as_git_follows_them(file: Path):
    for depth in range(12):
        text = f"[include]\npath = {depth + 1}\n[core]\neditor = e{depth}"
        (file.parent / str(depth)).write_text(text)
    found = named(file, "[include]\npath = 0")
    assert found.words == tuple(f"e{depth}" for depth in reversed(range(10)))
    assert found.included[-1] == str(file.parent / "10")


def test_a_file_is_read_again_when_it_has_changed(file: Path):
    known = Configurations("/home/ada")
    file.write_text("[core]\neditor = vi")
    assert known.named_by([str(file)]).words == ("vi",)
    file.write_text("[core]\neditor = emacs")
    assert known.named_by([str(file)]).words == ("emacs",)
    file.unlink()
    assert known.named_by([str(file)]) == Named()
