"""Numbers of the kernel's interface, by the names of its own headers (no underscore before them).

``tests/tools/process/confinement/kernel/test_linux.py`` holds each against those headers. What the
standard library has under such a name is not used: a filter is made and tried on any system.
"""

# linux/bpf_common.h: an instruction is a class with a size and a mode, or with an operation and
# where its second operand comes from.
BPF_LD, BPF_ALU, BPF_JMP, BPF_RET = 0x00, 0x04, 0x05, 0x06
BPF_W, BPF_ABS = 0x00, 0x20
BPF_AND, BPF_JEQ, BPF_JGE, BPF_JSET = 0x50, 0x10, 0x30, 0x40
BPF_K = 0x00

# linux/seccomp.h
SECCOMP_MODE_FILTER = 2
SECCOMP_RET_ERRNO, SECCOMP_RET_ALLOW = 0x0005_0000, 0x7FFF_0000

# linux/audit.h
AUDIT_ARCH_X86_64, AUDIT_ARCH_AARCH64 = 0xC000_003E, 0xC000_00B7

# asm/unistd.h of x86_64: set in the numbers of calls of a narrower width.
X32_SYSCALL_BIT = 0x4000_0000

# linux/prctl.h
PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_CAPBSET_DROP = 1, 22, 24
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 36, 38

# linux/capability.h
LINUX_CAPABILITY_VERSION_3 = 0x2008_0522

# linux/sched.h
CLONE_NEWTIME, CLONE_NEWNS, CLONE_NEWCGROUP = 0x80, 0x2_0000, 0x0200_0000
CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER = 0x0400_0000, 0x0800_0000, 0x1000_0000
CLONE_NEWPID, CLONE_NEWNET = 0x2000_0000, 0x4000_0000

# linux/nsfs.h
NS_GET_USERNS = 0xB701

# asm/ioctls.h
TIOCSTI, TIOCLINUX = 0x5412, 0x541C

# linux/fcntl.h
F_SETLEASE = 1024

# linux/falloc.h
FALLOC_FL_KEEP_SIZE = 0x01

# sys/socket.h, linux/netlink.h
AF_UNIX, AF_INET, AF_INET6, AF_NETLINK = 1, 2, 10, 16
SOCK_STREAM, SOCK_SEQPACKET = 1, 5
NETLINK_ROUTE = 0

# linux/landlock.h
LANDLOCK_CREATE_RULESET_VERSION = 1 << 0
LANDLOCK_RULE_PATH_BENEATH = 1
LANDLOCK_ACCESS_FS_EXECUTE, LANDLOCK_ACCESS_FS_WRITE_FILE = 1 << 0, 1 << 1
LANDLOCK_ACCESS_FS_READ_FILE, LANDLOCK_ACCESS_FS_READ_DIR = 1 << 2, 1 << 3
LANDLOCK_ACCESS_FS_REMOVE_DIR, LANDLOCK_ACCESS_FS_REMOVE_FILE = 1 << 4, 1 << 5
LANDLOCK_ACCESS_FS_MAKE_CHAR, LANDLOCK_ACCESS_FS_MAKE_DIR = 1 << 6, 1 << 7
LANDLOCK_ACCESS_FS_MAKE_REG, LANDLOCK_ACCESS_FS_MAKE_SOCK = 1 << 8, 1 << 9
LANDLOCK_ACCESS_FS_MAKE_FIFO, LANDLOCK_ACCESS_FS_MAKE_BLOCK = 1 << 10, 1 << 11
LANDLOCK_ACCESS_FS_MAKE_SYM, LANDLOCK_ACCESS_FS_REFER = 1 << 12, 1 << 13
LANDLOCK_ACCESS_FS_TRUNCATE, LANDLOCK_ACCESS_FS_IOCTL_DEV = 1 << 14, 1 << 15
LANDLOCK_ACCESS_NET_BIND_TCP, LANDLOCK_ACCESS_NET_CONNECT_TCP = 1 << 0, 1 << 1
LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET, LANDLOCK_SCOPE_SIGNAL = 1 << 0, 1 << 1
