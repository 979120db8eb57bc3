// What glibc's Swift module leaves out: variadic functions and GNU extensions.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/vfs.h>
#include <unistd.h>

static inline int latchkey_set_undumpable(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
static inline int latchkey_is_dumpable(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }
static inline int latchkey_is_secure_execution(void) { return getauxval(AT_SECURE) != 0; }
static inline int latchkey_openat(int folder, const char *path, int flags, mode_t mode) {
    return openat(folder, path, flags, mode);
}
static inline int latchkey_set_close_on_exec(int descriptor) {
    return fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}
