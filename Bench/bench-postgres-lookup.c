/* Looks up accounts by name with one prepared SELECT through libpq. `scripts/bench postgres` compares with it.
   Usage: bench-postgres-lookup ADDRESS <names */
#include <libpq-fe.h>
#include <stdio.h>
#include <string.h>

int main(int count, char **arguments) {
    PGconn *connection = count == 2 ? PQconnectdb(arguments[1]) : NULL;
    char line[1024];
    int asked = 0, found = 0;
    if (PQstatus(connection) != CONNECTION_OK) return 1;
    PQclear(PQprepare(connection, "find", "SELECT * FROM account WHERE login_name = $1", 1, NULL));
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        const char *values[] = {line};
        int lengths[] = {(int)strlen(line)}, formats[] = {1};
        PGresult *result = PQexecPrepared(connection, "find", 1, values, lengths, formats, 1);
        asked++;
        if (PQntuples(result) == 1 && PQgetlength(result, 0, 1) == 16) found++;
        PQclear(result);
    }
    printf("%d %d\n", asked, found);
    PQfinish(connection);
    return 0;
}
