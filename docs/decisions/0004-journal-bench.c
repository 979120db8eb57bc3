// Measures what a login's two transactions cost with different journals, for 0004-journal.md.
//   cc -O2 0004-journal-bench.c -lsqlite3 -o bench && ./bench FOLDER delete|persist|wal PROCESSES TRANSACTIONS
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>
#include <fcntl.h>
#include <unistd.h>

static char path[512], lock_path[520];
static int is_wal;

static void run(sqlite3 *db, const char *sql) {
    char *text = 0;
    int code = sqlite3_exec(db, sql, 0, 0, &text);
    if (code) { fprintf(stderr, "%s: %d %s\n", sql, code, text ? text : ""); exit(1); }
}

static sqlite3 *open_store(const char *journal) {
    sqlite3 *db;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, 0)) exit(1);
    sqlite3_busy_timeout(db, 60000);
    char sql[64];
    snprintf(sql, sizeof sql, "PRAGMA journal_mode=%s", journal);
    run(db, sql);
    run(db, is_wal ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=EXTRA");
    run(db, "PRAGMA secure_delete=ON");
    if (is_wal) run(db, "PRAGMA wal_autocheckpoint=0");
    return db;
}

static void work(const char *journal, int count, int seed) {
    sqlite3 *db = open_store(journal);
    int lock = open(lock_path, O_RDWR | O_CREAT, 0600);
    srand(seed);
    for (int i = 0; i < count; i++) {
        char sql[600];
        snprintf(sql, sizeof sql,
            "BEGIN IMMEDIATE; UPDATE throttle SET count = count + 1 WHERE id = %d;"
            "INSERT INTO audit(body, hash) VALUES(hex(randomblob(80)), randomblob(32)); COMMIT",
            rand() % 10000);
        if (is_wal) flock(lock, LOCK_EX);
        run(db, sql);
        if (is_wal && i % 500 == 499) run(db, "PRAGMA wal_checkpoint(TRUNCATE)");
        if (is_wal) flock(lock, LOCK_UN);
    }
    sqlite3_close(db);
    _exit(0);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
    if (argc != 5) return 64;
    snprintf(path, sizeof path, "%s/store", argv[1]);
    snprintf(lock_path, sizeof lock_path, "%s.lock", path);
    is_wal = !strcmp(argv[2], "wal");
    int processes = atoi(argv[3]), count = atoi(argv[4]);
    sqlite3 *db = open_store(argv[2]);
    run(db, "CREATE TABLE throttle(id INTEGER PRIMARY KEY, count INTEGER);"
            "CREATE TABLE audit(sequence INTEGER PRIMARY KEY, body TEXT, hash BLOB);"
            "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i<9999) INSERT INTO throttle SELECT i, 0 FROM n");
    sqlite3_close(db);
    double start = now();
    for (int p = 0; p < processes; p++) if (!fork()) work(argv[2], count, p);
    int failed = 0, status;
    while (wait(&status) > 0) failed |= status;
    double writing = now() - start;
    db = open_store(argv[2]);
    sqlite3_stmt *statement;
    start = now();
    sqlite3_prepare_v2(db, "SELECT count FROM throttle WHERE id = ?", -1, &statement, 0);
    for (int i = 0; i < 100000; i++) {
        sqlite3_bind_int(statement, 1, i * 7919 % 10000);
        sqlite3_step(statement);
        sqlite3_reset(statement);
    }
    double reading = now() - start;
    sqlite3_finalize(statement);
    sqlite3_prepare_v2(db, "SELECT count(*), (SELECT sum(count) FROM throttle) FROM audit", -1, &statement, 0);
    sqlite3_step(statement);
    int right = sqlite3_column_int(statement, 0) == processes * count && sqlite3_column_int(statement, 1) == processes * count;
    printf("%-8s %2d x %5d: %6.0f commits/s, %.2f ms each; %6.0f reads/s; %s\n", argv[2], processes, count,
        processes * count / writing, 1000 * writing / (processes * count), 100000 / reading,
        right && !failed ? "all there" : "WRONG");
    return 0;
}
