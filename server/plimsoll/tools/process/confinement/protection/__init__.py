"""What is protected in a workspace: found as editors, agents and git find it, and kept as it was.

From protected names, editors, git and agents run things that nobody started. What existed is
covered while a command runs; what a command made of them is moved aside and said.
"""

from plimsoll.tools.process.confinement.protection.guarding import Protections, add_staging, guard
from plimsoll.tools.process.confinement.protection.looking import Protection
from plimsoll.tools.process.confinement.protection.settling import ProtectionGuard

__all__ = ["Protection", "ProtectionGuard", "Protections", "add_staging", "guard"]
