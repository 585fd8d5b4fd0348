"""Says which Python runs it, as one line of JSON. Any Python 3 understands this file."""

import importlib.util
import json
import platform
import sys
import sysconfig

MACHINES = {"arm64": "aarch64", "amd64": "x86_64"}


def tag():
    """Name what native libraries are built for, as in ``cp311-linux-x86_64``."""
    name = "cp" if sys.implementation.name == "cpython" else sys.implementation.name
    threads = "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
    musl = "musl" if "musl" in (sysconfig.get_config_var("HOST_GNU_TYPE") or "") else ""
    machine = platform.machine().lower()
    # A system of 32 bits may run on a kernel of 64.
    bits = "" if sys.maxsize > 2**32 else "-32"
    version = f"{name}{sys.version_info[0]}{sys.version_info[1]}{threads}"
    return f"{version}-{sys.platform}{musl}-{MACHINES.get(machine, machine)}{bits}"


if __name__ == "__main__":
    print(
        json.dumps(
            {
                "executable": sys.executable,
                "tag": tag(),
                "version": list(sys.version_info[:2]),
                "hasPlimsoll": importlib.util.find_spec("plimsoll") is not None,
            }
        )
    )
