"""The profiles of Seatbelt, which is on macOS alone; what they do is not tried here."""

from plimsoll.tools.process.confinement.seatbelt import PROGRAM, Seatbelt


def test_a_program_that_only_reads_is_started_by_a_profile_that_denies_the_rest():
    (program, option, profile, *command) = (
        Seatbelt(environment={}).read_only(("look", "here"), ()).arguments
    )

    assert (program, option, command) == (str(PROGRAM), "-p", ["look", "here"])
    for denied in ("file-write*", "network*", "process-fork"):
        assert f"(deny {denied})" in profile
