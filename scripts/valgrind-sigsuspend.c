/* scripts/valgrind preloads this. The main thread of a Swift program waits in sigsuspend with a mask in read-only memory;
 * Debian 12's valgrind writes to that mask and crashes. This passes a copy instead. */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

int sigsuspend(const sigset_t *mask) {
    sigset_t copy = *mask;
    return (int)syscall(SYS_rt_sigsuspend, &copy, 8);
}
