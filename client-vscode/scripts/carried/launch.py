"""Runs the server that lies beside this file; what the server starts sees nothing of it.

The libraries beside it count in a Python that they were built for; any other has its own.
"""

import json
import runpy
import sys
from pathlib import Path

here = Path(__file__).parent
mine = runpy.run_path(str(here / "describe.py"))["tag"]()
built = json.loads((here / "python.json").read_text("utf-8"))["tag"]
libraries = [str(here / "libs")] if mine == built else []
sys.path[:0] = [str(here / "server"), *libraries]
runpy.run_module("plimsoll", run_name="__main__", alter_sys=True)
