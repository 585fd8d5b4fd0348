/* Lets the n-th write below a folder fail, or kill the process, as a file shared with the driver says.

   Preloaded into the server: SQLite and Python reach the disk through these functions alone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

struct control {
  volatile int64_t armed;  /* 0: only count */
  volatile int64_t left;   /* calls until the fault */
  volatile int64_t kind;   /* an errno, or 0 for SIGKILL */
  volatile int64_t lasts;  /* 1: every later call fails too */
  volatile int64_t seen;
  volatile int64_t hit;
};

static struct control *control;
static const char *folder;

__attribute__((constructor)) static void begin(void) {
  const char *file = getenv("FAULTS_CONTROL");
  folder = getenv("FAULTS_FOLDER");
  if (!file || !folder) return;
  int fd = open(file, O_RDWR);
  if (fd < 0) return;
  void *page = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (page != MAP_FAILED) control = page;
}

static int below(const char *path) {
  return path && !strncmp(path, folder, strlen(folder));
}

static int ours(int fd) {
  char link[40], path[4096];
  int saved = errno;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t size = readlink(link, path, sizeof path - 1);
  errno = saved;
  if (size <= 0) return 0;
  path[size] = 0;
  return below(path);
}

/* Whether this call must fail; errno is set then. */
static int fails(void) {
  __sync_add_and_fetch(&control->seen, 1);
  if (!control->armed) return 0;
  int64_t left = __sync_sub_and_fetch(&control->left, 1);
  if (left > 0 || (left < 0 && !control->lasts)) return 0;
  __sync_add_and_fetch(&control->hit, 1);
  if (control->kind == 0) kill(getpid(), SIGKILL);
  errno = (int)control->kind;
  return 1;
}

#define REAL(name) ((__typeof__(&name))real(#name))
static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }
#define GUARD(ours_too) if (control && (ours_too) && fails()) return -1

ssize_t write(int fd, const void *data, size_t size) {
  GUARD(ours(fd));
  return REAL(write)(fd, data, size);
}
ssize_t pwrite(int fd, const void *data, size_t size, off_t at) {
  GUARD(ours(fd));
  return REAL(pwrite)(fd, data, size, at);
}
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
  /* Half of it stands before the fault: a page is torn. */
  if (control && ours(fd) && fails()) {
    int reason = errno;
    REAL(pwrite64)(fd, data, size / 2, at);
    errno = reason;
    return -1;
  }
  return REAL(pwrite64)(fd, data, size, at);
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
  GUARD(ours(fd));
  return REAL(writev)(fd, parts, count);
}
int fsync(int fd) {
  GUARD(ours(fd));
  return REAL(fsync)(fd);
}
int fdatasync(int fd) {
  GUARD(ours(fd));
  return REAL(fdatasync)(fd);
}
int ftruncate(int fd, off_t size) {
  GUARD(ours(fd));
  return REAL(ftruncate)(fd, size);
}
int ftruncate64(int fd, off64_t size) {
  GUARD(ours(fd));
  return REAL(ftruncate64)(fd, size);
}
int rename(const char *from, const char *to) {
  GUARD(below(to));
  return REAL(rename)(from, to);
}
int renameat(int from_folder, const char *from, int to_folder, const char *to) {
  GUARD(below(to) || ours(to_folder));
  return REAL(renameat)(from_folder, from, to_folder, to);
}
int unlink(const char *path) {
  GUARD(below(path));
  return REAL(unlink)(path);
}
