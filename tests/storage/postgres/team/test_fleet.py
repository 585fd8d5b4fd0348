"""Machines that push while the server dies and commits break; `scripts/faults team` is longer."""

import random

import pytest

from storage.postgres.engine import running
from storage.postgres.rig.fleet import Plan, set_sail

pytestmark = pytest.mark.slow


async def test_nothing_acknowledged_is_lost_and_nothing_is_twice(seed):
    plan = Plan(machines=2, changes=60, kills=2, appends=30)
    with running() as engine:
        figures = await set_sail(engine, plan, random.Random(seed))
    assert figures.acknowledged == 180
    assert figures.cuts > 0
