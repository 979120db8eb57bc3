import LatchkeyAccounts
import Testing

@testable import LatchkeyPostgres

struct PostgresErrorTests {
    @Test func `a SQLSTATE is packed as PostgreSQL packs it`() {
        // ERRCODE_UNIQUE_VIOLATION in PostgreSQL's utils/errcodes.h.
        #expect(SQLState(text: "23505").packed == 2 | 3 << 6 | 5 << 12 | 0 << 18 | 5 << 24)
        #expect(SQLState(text: "00000").packed == 0)
        #expect(SQLState(text: "57P01").packed == 5 | 7 << 6 | 32 << 12 | 0 << 18 | 1 << 24)
    }
}
