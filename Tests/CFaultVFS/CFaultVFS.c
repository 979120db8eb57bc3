#include "CFaultVFS.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

struct fault_vfs {
    sqlite3_vfs vfs;
    sqlite3_vfs *real;
    int kinds, at, code, count, failed;
    enum fault_effect effect;
};

typedef struct {
    sqlite3_file base;
    fault_vfs *owner;
    sqlite3_file *real;
} fault_file;

static fault_vfs *of(sqlite3_vfs *vfs) { return (fault_vfs *)vfs->pAppData; }
static sqlite3_file *real(sqlite3_file *file) { return ((fault_file *)file)->real; }

// SQLITE_OK, or the result code with which this call fails. Each connection is used by one thread, and each VFS by one
// test.
static int judge(fault_vfs *vfs, int kind) {
    if (!(vfs->kinds & kind)) return SQLITE_OK;
    vfs->count += 1;
    if (vfs->at == 0 || vfs->count < vfs->at) return SQLITE_OK;
    if (vfs->count > vfs->at && vfs->effect == FAULT_ONCE) return SQLITE_OK;
    if (!vfs->failed) vfs->failed = kind;
    return vfs->code;
}

static int close_file(sqlite3_file *file) {
    int code = real(file)->pMethods ? real(file)->pMethods->xClose(real(file)) : SQLITE_OK;
    free(real(file));
    return code;
}

static int read_file(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    int code = judge(((fault_file *)file)->owner, FAULT_READ);
    return code ? code : real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

static int write_file(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    fault_vfs *vfs = ((fault_file *)file)->owner;
    if (vfs->effect == FAULT_FULL) {
        // Space within the file is already allocated.
        sqlite3_int64 size = 0;
        real(file)->pMethods->xFileSize(real(file), &size);
        if (offset + count <= size) return real(file)->pMethods->xWrite(real(file), bytes, count, offset);
    }
    int code = judge(vfs, FAULT_WRITE);
    return code ? code : real(file)->pMethods->xWrite(real(file), bytes, count, offset);
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
    int code = judge(((fault_file *)file)->owner, FAULT_TRUNCATE);
    return code ? code : real(file)->pMethods->xTruncate(real(file), size);
}

// Nothing is made durable, because the files of tests need not survive the machine and syncing takes most of the time.
static int sync_file(sqlite3_file *file, int flags) {
    (void)flags;
    return judge(((fault_file *)file)->owner, FAULT_SYNC);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
    return real(file)->pMethods->xFileSize(real(file), size);
}

static int lock_file(sqlite3_file *file, int level) {
    int code = judge(((fault_file *)file)->owner, FAULT_LOCK);
    return code ? code : real(file)->pMethods->xLock(real(file), level);
}

static int unlock_file(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }

static int check_reserved_lock(sqlite3_file *file, int *answer) {
    return real(file)->pMethods->xCheckReservedLock(real(file), answer);
}

static int control(sqlite3_file *file, int operation, void *argument) {
    return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int sector_size(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }
static int characteristics(sqlite3_file *file) { return real(file)->pMethods->xDeviceCharacteristics(real(file)); }

static const sqlite3_io_methods methods = {
    .iVersion = 1,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = sync_file,
    .xFileSize = file_size,
    .xLock = lock_file,
    .xUnlock = unlock_file,
    .xCheckReservedLock = check_reserved_lock,
    .xFileControl = control,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics,
};

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *opened) {
    fault_file *mine = (fault_file *)file;
    mine->base.pMethods = 0;
    int code = judge(of(vfs), FAULT_OPEN);
    if (code) return code;
    mine->owner = of(vfs);
    mine->real = calloc(1, of(vfs)->real->szOsFile);
    if (!mine->real) return SQLITE_NOMEM;
    code = of(vfs)->real->xOpen(of(vfs)->real, name, mine->real, flags, opened);
    if (code) {
        free(mine->real);
        return code;
    }
    mine->base.pMethods = &methods;
    return SQLITE_OK;
}

static int delete_file(sqlite3_vfs *vfs, const char *name, int sync) {
    (void)sync;
    int code = judge(of(vfs), FAULT_DELETE);
    return code ? code : of(vfs)->real->xDelete(of(vfs)->real, name, 0);
}

static int access_file(sqlite3_vfs *vfs, const char *name, int flags, int *answer) {
    int code = judge(of(vfs), FAULT_OPEN);
    return code ? code : of(vfs)->real->xAccess(of(vfs)->real, name, flags, answer);
}

static int full_path(sqlite3_vfs *vfs, const char *name, int count, char *path) {
    return of(vfs)->real->xFullPathname(of(vfs)->real, name, count, path);
}

static int randomness(sqlite3_vfs *vfs, int count, char *bytes) {
    return of(vfs)->real->xRandomness(of(vfs)->real, count, bytes);
}

static int sleep_a_while(sqlite3_vfs *vfs, int microseconds) {
    return of(vfs)->real->xSleep(of(vfs)->real, microseconds);
}

static int current_time(sqlite3_vfs *vfs, double *time) { return of(vfs)->real->xCurrentTime(of(vfs)->real, time); }

static int last_error(sqlite3_vfs *vfs, int count, char *text) {
    return of(vfs)->real->xGetLastError(of(vfs)->real, count, text);
}

fault_vfs *fault_vfs_make(const char *name) {
    sqlite3_initialize();
    fault_vfs *made = calloc(1, sizeof *made);
    if (!made) return 0;
    made->real = sqlite3_vfs_find(0);
    made->vfs = (sqlite3_vfs){
        .iVersion = 1,
        .szOsFile = sizeof(fault_file),
        .mxPathname = made->real->mxPathname,
        .zName = strdup(name),
        .pAppData = made,
        .xOpen = open_file,
        .xDelete = delete_file,
        .xAccess = access_file,
        .xFullPathname = full_path,
        .xRandomness = randomness,
        .xSleep = sleep_a_while,
        .xCurrentTime = current_time,
        .xGetLastError = last_error,
    };
    sqlite3_vfs_register(&made->vfs, 0);
    return made;
}

void fault_vfs_free(fault_vfs *vfs) {
    sqlite3_vfs_unregister(&vfs->vfs);
    free((void *)vfs->vfs.zName);
    free(vfs);
}

void fault_vfs_arm(fault_vfs *vfs, int kinds, int at, int code, enum fault_effect effect) {
    vfs->kinds = kinds;
    vfs->at = at;
    vfs->code = code;
    vfs->effect = effect;
    vfs->count = 0;
    vfs->failed = 0;
}

int fault_vfs_count(const fault_vfs *vfs) { return vfs->count; }
int fault_vfs_failed(const fault_vfs *vfs) { return vfs->failed; }
