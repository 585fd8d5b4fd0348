"""Reads secrets of the machine: each way what bears its name, by its path or around it."""

from pathlib import Path

from ways import CONFIG, ROOT, way

LAID_OUT = CONFIG["laid_out"]
AROUND = LAID_OUT.get("service", LAID_OUT["own_file"])


def reads(path):
    return b"CANARY" in Path(path).read_bytes()


@way(**LAID_OUT)
def secret(path):
    return reads(path)


@way()
def secret_through_a_link():
    (ROOT / "to_a_secret").symlink_to(AROUND)
    return reads(ROOT / "to_a_secret")


@way()
def secret_by_dots():
    up = "/".join([".."] * len(ROOT.parts))
    return reads(f"{ROOT}/{up}{AROUND}")


@way(root="root", folder="cwd")
def secret_by_a_process(name):
    above = f"/proc/{CONFIG['victim']}/{name}"
    return reads(f"{above}{AROUND}" if name == "root" else f"{above}/own.env")


@way()
def secret_by_the_first_process():
    return reads(f"/proc/1/root{AROUND}")


@way()
def secret_environment_of_all():
    found = False
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            found = found or b"CANARY" in path.read_bytes()
        except OSError:
            # It is gone, or closed.
            continue
    return found


@way()
def secret_environment_of_the_server():
    return CONFIG["server_says"].encode() in Path(f"/proc/{CONFIG['server']}/environ").read_bytes()


@way()
def secret_number_of_the_machine():
    return bool(Path("/sys/class/dmi/id/product_uuid").read_text())
