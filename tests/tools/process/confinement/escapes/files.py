"""Changes files outside, each way what bears its name there, and reads what is secret."""

import ctypes
import os
from pathlib import Path

from ways import CONFIG, HOME, OUT, ROOT, C, done, way


@way()
def write_new():
    (OUT / "write_new").write_text("x")


@way()
def write_append():
    with (OUT / "write_append").open("a") as file:
        file.write("x")


@way()
def write_truncate():
    os.truncate(OUT / "write_truncate", 0)


@way()
def write_unlink():
    (OUT / "write_unlink").unlink()


@way()
def write_rename():
    (OUT / "write_rename").rename(OUT / "write_rename.2")


@way()
def write_mkdir():
    (OUT / "write_mkdir").mkdir()


@way()
def write_symlink():
    (OUT / "write_symlink.new").symlink_to("/")


@way()
def write_fifo():
    os.mkfifo(OUT / "write_fifo.new")


@way()
def write_hard_link():
    os.link(OUT / "write_hard_link", OUT / "write_hard_link.2")


@way()
def write_mode():
    (OUT / "write_mode").chmod(0o777)


@way()
def write_times():
    os.utime(OUT / "write_times", (1, 1))


@way()
def write_through_a_link():
    (ROOT / "through").symlink_to(OUT)
    (ROOT / "through" / "write_through_a_link").write_text("x")


@way()
def write_by_dots():
    up = "/".join([".."] * len(ROOT.parts))
    Path(f"{ROOT}/{up}{OUT}/write_by_dots").write_text("x")


@way()
def write_through_a_hard_link():
    os.link(OUT / "write_through_a_hard_link", ROOT / "hard")
    (ROOT / "hard").write_text("x")


@way()
def write_by_moving_out():
    (ROOT / "moved").write_text("x")
    (ROOT / "moved").rename(OUT / "write_by_moving_out.new")


@way()
def write_nameless():
    nameless = os.open(OUT, os.O_TMPFILE | os.O_WRONLY)
    os.write(nameless, b"x")
    os.link(f"/proc/self/fd/{nameless}", OUT / "write_nameless", follow_symlinks=True)


@way()
def write_attribute():
    os.setxattr(OUT / "write_attribute", b"user.plimsoll", b"x")
    return True


@way()
def write_by_moving_in():
    (OUT / "write_by_moving_in").rename(ROOT / "moved-in")


@way(self="self", first="1", victim=str(CONFIG["victim"]))
def write_proc_root(process):
    target = f"/proc/{process}/root{OUT}/write_proc_root_" + {"self": "self", "1": "first"}.get(
        process, "victim"
    )
    Path(target).write_text("x")


@way()
def write_proc_cwd():
    Path(f"/proc/{CONFIG['victim']}/cwd/write_proc_cwd").write_text("x")


@way()
def write_in_home():
    (HOME / ".bashrc").write_text("x")


@way()
def write_in_shared_memory():
    Path("/dev/shm", CONFIG["shared"]).write_text("x")


@way()
def write_by_uring():
    # Work that the kernel does for a process passes by filters of its calls.
    return done(C.syscall(425, 4, ctypes.create_string_buffer(120)))


@way(**{str(n): path for n, path in enumerate(CONFIG["secrets"])})
def read_secret(path):
    return "CANARY" in Path(path).read_text()


@way()
def read_server_environment():
    return b"CANARY" in Path(f"/proc/{CONFIG['victim']}/environ").read_bytes()


@way()
def list_home():
    return HOME / ".ssh" in HOME.iterdir()


@way()
def read_disk():
    # The root file system itself, below all mounts.
    device = next(
        line.split()[0]
        for line in Path("/proc/self/mounts").read_text().splitlines()
        if line.startswith("/dev/")
    )
    return len(os.read(os.open(device, os.O_RDONLY), 512)) == 512
