"""The sandbox of the machine: looked for once, waited for, and told when it cannot be found."""

import threading
from dataclasses import replace

from plimsoll.tools.process.confinement.base import UNCONFINED, Access, Probed
from plimsoll.tools.process.confinement.confining import OUTSIDE, Confining, Probing
from sandboxes import PassThrough, confining

COMMAND = ("/bin/sh", "-c", "true")


def test_it_is_looked_for_once_and_whoever_asks_waits_for_it():
    looked, go = [], threading.Event()

    def probe() -> Probed:
        go.wait()
        looked.append(1)
        return Probed(PassThrough())

    probing = Probing(probe)
    probing.start()
    waiting = [threading.Thread(target=probing.result) for _ in range(3)]
    for thread in waiting:
        thread.start()
    assert looked == []
    go.set()
    for thread in waiting:
        thread.join()
    assert probing.result() is probing.result()
    assert looked == [1]


def test_a_probe_that_breaks_leaves_nobody_waiting_and_says_why():
    def probe() -> Probed:
        raise ValueError("a version that is no number")

    found = Probing(probe).result()
    assert found.sandbox is None
    assert [one.why for one in found.unavailable] == [
        "Looking for a sandbox failed: a version that is no number."
    ]


def test_without_a_sandbox_a_command_stays_as_it_is_and_that_is_said(tmp_path):
    own = confining(tmp_path, None)
    assert own.plan_access(network=False) is None
    assert own.confinement(None) == UNCONFINED
    assert own.confine(COMMAND, None).arguments == COMMAND


def test_a_command_gets_what_it_was_planned_to_get(tmp_path):
    own = confining(tmp_path, PassThrough())
    planned = own.plan_access(network=True)
    assert planned is not None
    assert planned.network
    assert own.confinement(planned).network
    assert own.confine(COMMAND, planned).arguments[1:] == ("CONFINED=network", *COMMAND)
    assert own.confinement(None) == OUTSIDE
    assert own.confine(COMMAND, None).arguments == COMMAND


def test_folders_that_the_person_lists_are_said(tmp_path):
    own = confining(tmp_path, PassThrough())
    planned = own.plan_access(network=False)
    assert planned is not None
    more = own.confinement(replace(planned, writable=(tmp_path / "out",)))
    assert more.summary.endswith(f"; by your settings it also writes in {tmp_path / 'out'}")


def test_what_may_write_a_history_elsewhere_is_asked_about(tmp_path):
    root = tmp_path.resolve() / "other"
    own = tmp_path.resolve() / "main" / ".git" / "worktrees" / "other"
    for folder in (root, own):
        folder.mkdir(parents=True)
    own_confining = confining(root, PassThrough())
    access = Access(root=root, home=tmp_path, caches=tmp_path, commits=True)
    assert own_confining.confinement(access).coverage == "full"
    (root / ".git").write_text(f"gitdir: {own}\n")
    (own / "gitdir").write_text(f"{root}/.git\n")
    (own / "commondir").write_text("../..\n")
    given = own_confining.confinement(access)
    assert given.coverage == "partial"
    assert "it can also write the history of the repository" in given.summary
    assert own_confining.confinement(replace(access, commits=False)).coverage == "full"


def test_with_unix_sockets_each_command_is_asked_about(tmp_path):
    own = confining(tmp_path, PassThrough())
    planned = own.plan_access(network=False)
    assert planned is not None
    assert own.confinement(planned).coverage == "full"
    given = own.confinement(replace(planned, unix_sockets=True))
    assert given.coverage == "partial"
    assert given.summary.endswith(
        "; by your settings it can use Unix sockets, those of other programs too where it sees them"
    )


def test_a_protected_file_with_another_name_is_said_and_asked_about(tmp_path):
    own = confining(tmp_path, PassThrough(open=".git/config"))
    given = own.confinement(own.plan_access(network=False))
    assert given.coverage == "partial"
    assert given.summary == (
        "partly sandboxed: writes only in this folder, no network; "
        ".git/config can be changed by another name of its file"
    )


def test_settings_count_from_the_next_command_on(tmp_path):
    network = [False]

    def access(asked: bool) -> Access:
        return Access(root=tmp_path, home=tmp_path, caches=tmp_path, network=asked or network[0])

    own = Confining(Probing(lambda: Probed(PassThrough())), access)
    before = own.plan_access(network=False)
    network[0] = True
    assert before is not None
    assert not before.network
    assert own.plan_access(network=False) == access(True)
