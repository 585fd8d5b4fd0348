"""Without hooks nothing of them is loaded, and no request is another."""

import subprocess
import sys

import pytest

PROGRAM = """
import sys, tempfile, pathlib, asyncio
sys.path[:0] = {paths!r}
from session.harness import harness
READ = {{"name": "file_read", "arguments": {{"path": "load.txt"}}}}

async def main():
    steps = {{"calls": [READ]}}, {{"text": "Done."}}
    async with harness(pathlib.Path(tempfile.mkdtemp()), *steps) as own:
        (own.folder / "load.txt").write_text("7")
        await own.turn("Do it.")
        await own.session.set_mode("plan")

asyncio.run(main())
ours = [name for name in sys.modules if name.startswith("plimsoll.session.hooks")]
ours += [name for name in sys.modules if name.endswith("hook_process")]
assert ours == [], ours
"""


@pytest.mark.slow
def test_without_hooks_nothing_of_them_is_loaded():
    program = PROGRAM.format(paths=[path for path in sys.path if path])
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
