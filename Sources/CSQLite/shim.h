#include <sqlite3.h>

// sqlite3_db_config is variadic, which Swift cannot call.
static inline int latchkey_sqlite3_db_config_flag(sqlite3 *db, int option, int value) {
    return sqlite3_db_config(db, option, value, (int *)0);
}
