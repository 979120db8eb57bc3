#include <sqlite3.h>

// sqlite3_db_config is variadic, which Swift cannot call. 0 or 1 sets the flag, -1 leaves it. Returns the current value,
// or -1 after a failure.
static inline int latchkey_sqlite3_db_config_flag(sqlite3 *db, int option, int value) {
    int answer = -1;
    return sqlite3_db_config(db, option, value, &answer) == SQLITE_OK ? answer : -1;
}

// Reads the start of the database file through the connection's own descriptor: opening and closing the file a second
// time would drop every lock that this process holds on it (fcntl(2)). Takes no lock and ignores any journal.
static inline int latchkey_sqlite3_read_start(sqlite3 *db, void *bytes, int count) {
    sqlite3_file *file = 0;
    int code = sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (code != SQLITE_OK) return code;
    if (!file || !file->pMethods) return SQLITE_CANTOPEN;
    return file->pMethods->xRead(file, bytes, count, 0);
}

// sqlite3_config is variadic too. SQLite refuses the call, without harm, if it is in use already.
static inline void latchkey_sqlite3_disable_memory_statistics(void) { (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
