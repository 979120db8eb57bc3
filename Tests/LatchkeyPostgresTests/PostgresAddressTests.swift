import Testing

@testable import LatchkeyPostgres

@Suite(.timeLimit(.minutes(60)))
struct PostgresAddressTests {
    @Test(arguments: [
        ("postgresql://db.example.org/accounts", "verify-full"),
        ("host=/run/postgresql,db.example.org dbname=accounts", "verify-full"),
        ("hostaddr=192.0.2.1 host=localhost dbname=accounts", "verify-full"),
        ("postgresql://db.example.org/accounts?sslmode=require", nil),
        ("postgresql:///accounts", nil),
        ("postgresql:///accounts?host=/run/postgresql", nil),
        ("postgresql://localhost/accounts", nil),
        ("service=accounts", nil),
    ])
    func `a server on another machine must present a valid certificate`(address: String, mode: String?) throws {
        #expect(try PostgresAddress(address).impliedMode == mode)
    }

    @Test(arguments: ["postgresql://[", "host = 'x", "colour=blue", "dbname=a\0b"])
    func `an address that libpq cannot parse is refused`(address: String) {
        #expect(throws: PostgresError.self) { try PostgresAddress(address) }
    }
}
