"""Reaches for FIFOs and devices that were there before; the other side of a FIFO tells."""

import os
from pathlib import Path

from ways import CONFIG, OUT, ROOT, way

WRITE = os.O_WRONLY | os.O_NONBLOCK


def written(path, how=WRITE):
    opened = os.open(path, how)
    return os.write(opened, b"x") == 1


@way(**CONFIG["fifos"])
def fifo_written(path):
    return written(path)


@way(**CONFIG["fifos"])
def fifo_both_ways(path):
    # It never blocks, whoever is at the other end.
    return written(path, os.O_RDWR)


@way()
def fifo_by_descriptor():
    opened = os.open(CONFIG["fifos"]["outside"], os.O_RDONLY | os.O_NONBLOCK)
    return written(f"/proc/self/fd/{opened}")


@way()
def fifo_by_path_alone():
    opened = os.open(CONFIG["fifos"]["outside"], os.O_PATH)
    return written(f"/proc/self/fd/{opened}")


@way()
def fifo_by_a_link():
    (ROOT / "to.fifo").symlink_to(CONFIG["fifos"]["outside"])
    return written(ROOT / "to.fifo")


@way()
def fifo_by_a_hard_link():
    os.link(CONFIG["fifos"]["outside"], ROOT / "hard.fifo")
    return written(ROOT / "hard.fifo")


@way()
def fifo_moved_in_the_workspace():
    moved = ROOT / "moved.fifo"
    Path(CONFIG["fifos"]["moving"]).rename(moved)
    return written(moved)


@way()
def fifo_in_a_moved_folder():
    Path(CONFIG["fifos"]["deep"]).parent.rename(ROOT / "moved-folder")
    return written(ROOT / "moved-folder" / Path(CONFIG["fifos"]["deep"]).name)


@way()
def fifo_linked_in_the_workspace():
    os.link(CONFIG["fifos"]["workspace"], ROOT / "again.fifo")
    return written(ROOT / "again.fifo")


@way()
def fifo_by_dots():
    up = "/".join([".."] * len(ROOT.parts))
    return written(f"{ROOT}/{up}{OUT}/fifo")


@way()
def fifo_by_first_process():
    return written(f"/proc/1/root{OUT}/fifo")


@way()
def fifo_mode():
    Path(CONFIG["fifos"]["outside"]).chmod(0o777)
    return True


@way(workspace=ROOT, outside=OUT)
def device_there_before(folder):
    return os.read(os.open(folder / "device", os.O_RDONLY), 4) == b"\0\0\0\0"


@way(
    memory="mem", ports="port", log="kmsg", fuse="fuse", tunnel="net/tun", machine="kvm", snd="snd"
)
def device_of_the_machine(name):
    return os.open(f"/dev/{name}", os.O_RDWR) >= 0
