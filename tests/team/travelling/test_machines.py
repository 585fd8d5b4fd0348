"""The names by which machines know each other."""

from plimsoll.session.ports.clock import CountedClock
from plimsoll.team.travelling.holders import BELIEVED_SECONDS, Holders
from plimsoll.team.travelling.machines import is_machine, machine_label, shown_machine

OWN = machine_label("galley", "0123456789abcdef")


def test_a_machine_is_known_by_its_host_and_its_id():
    assert OWN == "galley#01234567"
    assert machine_label("", "0123456789abcdef") == "a machine#01234567"
    assert machine_label("ship#one", "0123456789abcdef") == "ship#01234567"


def test_people_read_the_host_and_whether_it_is_another_of_that_name():
    assert shown_machine("bridge#89", OWN) == "bridge"
    assert shown_machine("galley#89", OWN) == "another galley"
    assert shown_machine(OWN, OWN) == "galley"


def test_a_process_may_stand_behind_the_machine():
    assert is_machine(OWN, OWN)
    assert is_machine(f"{OWN} pid 7", OWN)
    assert not is_machine(f"{OWN}8", OWN)


class SetClock(CountedClock):
    at = 0.0

    def seconds(self) -> float:
        return self.at


def test_a_holder_is_believed_for_a_while():
    clock = SetClock()
    holders = Holders(OWN, clock)
    assert holders.note("s1", "bridge#89 pid 7")
    assert not holders.note("s2", f"{OWN} pid 8")
    assert (holders.name_of("s1"), holders.name_of("s2")) == ("bridge", None)
    clock.at = BELIEVED_SECONDS + 1
    assert holders.name_of("s1") is None
    holders.note("s1", "bridge#89")
    holders.clear("s1")
    assert holders.name_of("s1") is None
