"""Reaches for other programs, and for a life that is longer than the command's."""

import ctypes
import errno
import os
import resource
import signal
import time

from ways import CONFIG, ROOT, C, done, way


@way()
def trace():
    return (
        done(C.ptrace(16, CONFIG["victim"], 0, 0))
        and (C.ptrace(17, CONFIG["victim"], 0, 0), True)[1]
    )


@way()
def read_memory_file():
    return os.open(f"/proc/{CONFIG['victim']}/mem", os.O_RDWR) >= 0


@way()
def read_memory_call():
    # One byte of what every process maps at the same place where addresses are not shuffled; that
    # it is not mapped is told only to those who may look.
    taken = ctypes.create_string_buffer(1)
    here = (ctypes.c_size_t * 2)(ctypes.addressof(taken), 1)
    there = (ctypes.c_size_t * 2)(4096, 1)
    C.syscall(310, CONFIG["victim"], here, 1, there, 1, 0)
    return ctypes.get_errno() == errno.EFAULT


@way()
def take_descriptor():
    holder = os.pidfd_open(CONFIG["victim"])
    return done(C.syscall(438, holder, 0, 0))


@way()
def signal_plain():
    os.kill(CONFIG["victims"][0], signal.SIGKILL)
    return True


@way()
def signal_by_descriptor():
    signal.pidfd_send_signal(os.pidfd_open(CONFIG["victims"][1]), signal.SIGKILL)
    return True


@way()
def signal_thread():
    victim = CONFIG["victims"][2]
    return done(C.syscall(234, victim, victim, 9))


@way()
def signal_group():
    os.killpg(CONFIG["victims"][3], signal.SIGKILL)
    return True


@way()
def renice():
    os.setpriority(os.PRIO_PROCESS, CONFIG["victim"], 7)
    return True


@way()
def limit_another():
    resource.prlimit(CONFIG["victim"], resource.RLIMIT_CORE, (0, 0))
    return True


@way()
def pin_another():
    os.sched_setaffinity(CONFIG["victim"], os.sched_getaffinity(CONFIG["victim"]))
    return True


@way()
def attach_shared_memory():
    C.shmat.restype = ctypes.c_ssize_t
    return C.shmat(CONFIG["segment"], None, 0) != -1


# What outlives the command; the files must not be there later.
def later(name, *, prepare=lambda: None, forks=1):
    for _ in range(forks):
        if os.fork():
            os._exit(0)
        prepare()
    time.sleep(CONFIG["later"])
    (ROOT / name).write_text("x")
    os._exit(0)


@way(background=0, session=1, twice=2, deaf=3)
def outlive(kind):
    if os.fork() == 0:
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN if kind == 3 else signal.SIG_DFL)
        later(f"outlive_{kind}", prepare=os.setsid if kind else lambda: None, forks=max(1, kind))
