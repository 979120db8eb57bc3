// A VFS for SQLite that injects faults, for tests. Each has its own state, and a name to open
// databases by.
#ifndef LATCHKEY_FAULT_VFS_H
#define LATCHKEY_FAULT_VFS_H

enum {
    FAULT_READ = 1,
    FAULT_WRITE = 2,
    FAULT_SYNC = 4,
    // Of a journal that is deleted, and its folder made durable.
    FAULT_DELETE = 8,
    // Also whether a journal is there.
    FAULT_OPEN = 16,
    FAULT_LOCK = 32,
    FAULT_TRUNCATE = 64,
    FAULT_CHANGES = FAULT_WRITE | FAULT_SYNC | FAULT_DELETE | FAULT_TRUNCATE,
};

enum fault_effect {
    // The call fails, and the next ones succeed.
    FAULT_ONCE,
    // That call and all later ones fail and do nothing: as if the process, or the disk, were gone.
    FAULT_GONE,
    // Each write that would make a file longer fails, from that call on: a full disk.
    FAULT_FULL,
};

typedef struct fault_vfs fault_vfs;

// Registers a VFS over the default one; nil where there is no memory.
fault_vfs *fault_vfs_make(const char *name);
// Once nothing is open by it.
void fault_vfs_free(fault_vfs *vfs);

// The call number `at`, counted from 1 over all calls of these kinds, fails with this result code; 0: none.
void fault_vfs_arm(fault_vfs *vfs, int kinds, int at, int code, enum fault_effect effect);
// How many calls of the kinds there were since then.
int fault_vfs_count(const fault_vfs *vfs);
// The kind of the call that failed first; 0: none did.
int fault_vfs_failed(const fault_vfs *vfs);

#endif
