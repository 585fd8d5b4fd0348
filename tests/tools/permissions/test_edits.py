"""Edits below a folder that are allowed for good: by real paths, from whole names."""

from plimsoll.tools.permissions.edits import common_scopes, edit_scopes


def subjects(name: str) -> list[str]:
    return [each.subject for each in edit_scopes(name)]


def test_the_folders_above_a_file_cover_it_and_two_of_them_are_offered():
    found = edit_scopes("src/context/view/fold.py")
    assert [each.subject for each in found] == ["src/context/view", "src/context", "src", "."]
    offered = [each.what for each in found if each.offered]
    assert offered == ["edits below `src/context/view`", "edits below `src`"]
    (top,) = edit_scopes("README.md")
    assert (top.what, top.offered) == ("edits in all of this folder", True)


def test_a_folder_covers_no_other_of_a_like_name():
    for name in ("src2/a.py", "Src/a.py", "src.py", "other/src/a.py", "sr\u0441/a.py"):
        assert "src" not in subjects(name)


def test_a_folder_whose_name_hides_something_is_not_offered():
    assert [each.offered for each in edit_scopes("a\u202eb/x")] == [False, False]


def test_several_edits_are_covered_by_what_covers_each():
    found = common_scopes([edit_scopes("src/a/x.py"), edit_scopes("src/b/y.py")])
    assert [each.subject for each in found] == ["src", "."]
    assert common_scopes([edit_scopes("src/a.py"), ()]) == ()
