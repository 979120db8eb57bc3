/* Looks up accounts by name with one prepared SELECT, the minimum for SQLite. `scripts/bench lookup` compares with it.
   Usage: bench-lookup STORE <names */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

int main(int count, char **arguments) {
    sqlite3 *database;
    sqlite3_stmt *statement;
    char line[1024];
    int asked = 0, found = 0;
    if (count != 2 || sqlite3_open_v2(arguments[1], &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL)) return 1;
    if (sqlite3_prepare_v2(database, "SELECT * FROM account WHERE login_name = ?1", -1, &statement, NULL)) return 1;
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        sqlite3_bind_text(statement, 1, line, -1, SQLITE_TRANSIENT);
        asked++;
        if (sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_bytes(statement, 1) == 16) found++;
        sqlite3_reset(statement);
    }
    printf("%d %d\n", asked, found);
    return 0;
}
