"""All vendors with all scenes of a session: nothing is refused twice, nor what can be met unasked.

A case is a vendor, a server that works with it, and a few scenes in one folder.
"""

import random

from faults.piece import Piece, Run
from faults.server import Mortal
from product.vendors.playing import Stage, staged
from product.vendors.scenes import SCENES, play
from providers.vendors.catalog import VENDORS

SCENES_A_CASE = 6
GROUPS = -(-len(SCENES) // SCENES_A_CASE)


def run(found: Run) -> None:
    order = random.Random(found.seed)
    vendors = order.sample(VENDORS, len(VENDORS))
    scenes = order.sample(sorted(SCENES), len(SCENES))
    for number, _ in found.each():
        vendor = vendors[number % len(vendors)]
        first = number // len(vendors) % GROUPS * SCENES_A_CASE
        with staged(found.folder / str(number), vendor, Mortal) as stage:
            for scene in scenes[first : first + SCENES_A_CASE]:
                with found.case(number):
                    meet(found, stage, scene)
            found.count("requests", stage.vendor.asked)


def meet(found: Run, stage: Stage, scene: str) -> None:
    name = stage.vendor.vendor.name
    try:
        needless = play(SCENES[scene], stage)
    except (AssertionError, TimeoutError) as broken:
        raise AssertionError(f"{name}, {scene}: {broken}") from broken
    found.count("scenes")
    found.count("mended refusals", len(stage.vendor.refused))
    assert needless == [], f"{name}, {scene}: {needless}"


PIECE = Piece(run=run, short=4, full=len(VENDORS) * GROUPS)
