"""Sequences in which the stateful test once found a law broken."""

from context.test_stateful import Conversation


def machine_in(window: int) -> Conversation:
    """A session in such a window, before its first step."""
    return type("Sized", (Conversation,), {"window": window})()


def test_a_cut_that_would_be_longer_than_the_result_keeps_nothing_else_in_view() -> None:
    machine = machine_in(200_000)
    machine.begin(load=0, fixed=0)
    machine.edit(path="a.py")
    machine.parallel(count=3, share=0)
    machine.switch_model(other=False, window=1024)
    machine.request()


def test_a_small_step_is_made_where_the_request_does_not_fit_without_it() -> None:
    machine = machine_in(4_096)
    machine.begin(load=0.83, fixed=0.8)
    machine.parallel(count=3, share=0.08)
    machine.ask(text="Please go on.", share=0.08)
    machine.request()
