// A VFS for SQLite that injects faults, for tests. Each has separate state, and a name with which databases are opened.
#ifndef LATCHKEY_FAULT_VFS_H
#define LATCHKEY_FAULT_VFS_H

enum {
    FAULT_READ = 1,
    FAULT_WRITE = 2,
    FAULT_SYNC = 4,
    // The deletion of a journal, and syncing its folder.
    FAULT_DELETE = 8,
    // Includes checking whether a journal exists.
    FAULT_OPEN = 16,
    FAULT_LOCK = 32,
    FAULT_TRUNCATE = 64,
    FAULT_CHANGES = FAULT_WRITE | FAULT_SYNC | FAULT_DELETE | FAULT_TRUNCATE,
};

enum fault_effect {
    // One call fails, and the next ones succeed.
    FAULT_ONCE,
    // One call and all later ones fail and do nothing, as if the process or the disk were gone.
    FAULT_GONE,
    // From one call on, each write that would make a file longer fails, as on a full disk.
    FAULT_FULL,
};

typedef struct fault_vfs fault_vfs;

// Registers a VFS on top of the default one; NULL if there is not enough memory.
fault_vfs *fault_vfs_make(const char *name);
// Call this only when nothing is open with the VFS.
void fault_vfs_free(fault_vfs *vfs);

// Makes call number `at` fail with this result code. Calls of all these kinds are counted together, from 1. 0 injects
// no fault.
void fault_vfs_arm(fault_vfs *vfs, int kinds, int at, int code, enum fault_effect effect);
// The number of calls of these kinds since the fault was armed.
int fault_vfs_count(const fault_vfs *vfs);
// The kind of the call that failed first; 0 if none failed.
int fault_vfs_failed(const fault_vfs *vfs);

#endif
