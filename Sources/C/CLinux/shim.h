// What glibc's Swift module leaves out: variadic functions and GNU extensions. No _GNU_SOURCE: with it, types that both
// modules see would differ.
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

// glibc declares these for _GNU_SOURCE alone, which its Swift module does not set. Values of the Linux ABI.
enum {
    LATCHKEY_O_PATH = 010000000,
    LATCHKEY_RENAME_NOREPLACE = 1,
    LATCHKEY_CLOSE_RANGE_CLOEXEC = 4,
    LATCHKEY_POSIX_SPAWN_SETSID = 0x80,
};

static inline int latchkey_set_undumpable(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
static inline int latchkey_is_dumpable(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }
static inline int latchkey_is_secure_execution(void) { return getauxval(AT_SECURE) != 0; }

static inline int latchkey_openat(int folder, const char *path, int flags, mode_t mode) {
    return openat(folder, path, flags, mode);
}
static inline int latchkey_rename_without_replacing(int folder, const char *from, const char *to) {
    return (int)syscall(SYS_renameat2, folder, from, folder, to, LATCHKEY_RENAME_NOREPLACE);
}
// -1 with EOPNOTSUPP where the file system cannot; posix_fallocate(3) would then write zeros.
static inline int latchkey_allocate(int descriptor, off_t count) {
    return (int)syscall(SYS_fallocate, descriptor, 0, (off_t)0, count);
}
// A file that has no name and goes when it is closed; -1 where there is none.
static inline int latchkey_memory_file(void) { return (int)syscall(SYS_memfd_create, "latchkey", 1U /* MFD_CLOEXEC */); }

static inline int latchkey_set_close_on_exec(int descriptor, int flag) {
    return fcntl(descriptor, F_SETFD, flag ? FD_CLOEXEC : 0);
}
// -1: not open; otherwise whether it closes on exec.
static inline int latchkey_closes_on_exec(int descriptor) {
    int flags = fcntl(descriptor, F_GETFD);
    return flags < 0 ? -1 : (flags & FD_CLOEXEC) != 0;
}
static inline int latchkey_set_close_on_exec_from(unsigned first) {
    return (int)syscall(SYS_close_range, first, ~0U, LATCHKEY_CLOSE_RANGE_CLOEXEC);
}

// glibc 2.34 and later. Declared here with an untyped pointer to posix_spawn_file_actions_t: spawn.h would define types
// that the Glibc module also has, and it depends on the order of the build whose they are.
int latchkey_add_close_from(void *actions, int first) __asm__("posix_spawn_file_actions_addclosefrom_np");
static inline int latchkey_close_from(void *actions, int first) { return latchkey_add_close_from(actions, first); }
int latchkey_add_folder(void *actions, const char *path) __asm__("posix_spawn_file_actions_addchdir_np");

// The soft limit alone: a hard limit of 0 could not be given back to a program that we run.
static inline int latchkey_exchange_core_limit(rlim_t limit, rlim_t *before) {
    struct rlimit limits;
    if (getrlimit(RLIMIT_CORE, &limits) != 0) return -1;
    if (before) *before = limits.rlim_cur;
    limits.rlim_cur = limit < limits.rlim_max ? limit : limits.rlim_max;
    return setrlimit(RLIMIT_CORE, &limits);
}

// f_type of statfs(2), or -1.
static inline long latchkey_filesystem_type(int descriptor) {
    struct statfs answer;
    return fstatfs(descriptor, &answer) == 0 ? (long)answer.f_type : -1;
}

// Declared here, since glibc does so for _GNU_SOURCE alone.
extern char **environ;
extern int execvpe(const char *, char *const[], char *const[]);
static inline char **latchkey_environment(void) { return environ; }
// Returns where it failed, with errno.
static inline int latchkey_execute(const char *program, char *const *arguments, char *const *environment) {
    return execvpe(program, arguments, environment);
}

// The soft limit of RLIMIT_AS in bytes, or ~0UL where there is none.
static inline unsigned long latchkey_address_space_limit(void) {
    struct rlimit limits;
    if (getrlimit(RLIMIT_AS, &limits) != 0 || limits.rlim_cur == RLIM_INFINITY) return ~0UL;
    return limits.rlim_cur;
}
