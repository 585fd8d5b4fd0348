"""A piece of the bench `rules`: what a person said holds; the bench sees it when it does not."""

import importlib.util
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "scripts" / "bench"


@pytest.fixture(name="rules")
def _rules(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH))
    spec = importlib.util.spec_from_file_location("bench_of_rules", BENCH / "rules.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    return module


def test_no_rule_is_violated_in_any_session(rules):
    played = rules.play(2)
    assert [one.violations for one in played] == [[], []]
    assert sum(one.compactions for one in played) >= 4
    assert sum(one.corrections for one in played) >= 4


def test_where_the_summaries_lose_the_rules_the_bench_fails(rules, capsys):
    assert rules.main(["--sessions", "1", "--drop"]) == 1
    assert "'as it likes' where" in capsys.readouterr().out
