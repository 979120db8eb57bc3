// Kills the process with SIGKILL at the n-th call of one kind. kill-loop preloads it, to hit moments that a random
// delay misses. KILL_AT is KIND:N, where KIND is write, sync, send, unlink or rename. If KILL_AFTER names a file, counting
// starts once it exists.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static void at(const char *kind) {
    static int left = -1;
    static char wanted[16];
    if (left < 0) {
        const char *given = getenv("KILL_AT");
        const char *colon = given ? strchr(given, ':') : 0;
        left = colon ? atoi(colon + 1) : 0;
        if (colon) strncpy(wanted, given, (size_t)(colon - given) < sizeof wanted ? (size_t)(colon - given) : 0);
    }
    const char *file = getenv("KILL_AFTER");
    if (left > 0 && !strcmp(kind, wanted) && (!file || access(file, F_OK) == 0) && __sync_sub_and_fetch(&left, 1) == 0) {
        kill(getpid(), SIGKILL);
        for (;;) pause();
    }
}

#define REAL(name) __typeof__(&name) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
    REAL(pwrite64);
    at("write");
    return real(fd, bytes, count, offset);
}

ssize_t write(int fd, const void *bytes, size_t count) {
    REAL(write);
    if (fd > 2) at("write");
    return real(fd, bytes, count);
}

int fdatasync(int fd) {
    REAL(fdatasync);
    at("sync");
    return real(fd);
}

int fsync(int fd) {
    REAL(fsync);
    at("sync");
    return real(fd);
}

ssize_t send(int fd, const void *bytes, size_t count, int flags) {
    REAL(send);
    at("send");
    return real(fd, bytes, count, flags);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    REAL(sendmsg);
    at("send");
    return real(fd, message, flags);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    REAL(writev);
    at("send");
    return real(fd, parts, count);
}

int unlink(const char *path) {
    REAL(unlink);
    at("unlink");
    return real(path);
}

int unlinkat(int folder, const char *path, int flags) {
    REAL(unlinkat);
    at("unlink");
    return real(folder, path, flags);
}

int renameat(int from, const char *old, int to, const char *new) {
    REAL(renameat);
    at("rename");
    return real(from, old, to, new);
}

long syscall(long number, ...) {
    REAL(syscall);
    va_list list;
    va_start(list, number);
    long a[6];
    for (int i = 0; i < 6; i++) a[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_renameat2) at("rename");
    return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
