import Foundation
import Testing

@testable import LatchkeyPostgres

@Suite(.timeLimit(.minutes(60)))
struct PostgresAddressTests {
    @Test(arguments: [
        ("postgresql://db.example.org/accounts", "verify-full"),
        ("host=/run/postgresql,db.example.org dbname=accounts", "verify-full"),
        ("hostaddr=192.0.2.1 host=localhost dbname=accounts", "verify-full"),
        ("host=localhost,localhost hostaddr=,192.0.2.1 dbname=accounts", "verify-full"),
        ("host=localhost.example.org dbname=accounts", "verify-full"),
        ("host=127.0.0.1.example.org dbname=accounts", "verify-full"),
        ("service=latchkey-unknown", "verify-full"),
        ("postgresql://db.example.org/accounts?sslmode=require", nil),
        ("postgresql:///accounts", nil),
        ("postgresql:///accounts?host=/run/postgresql", nil),
        ("postgresql://localhost/accounts", nil),
        ("host=db.example.org hostaddr=127.0.0.2 dbname=accounts", nil),
        ("host=@abstract,::1 dbname=accounts", nil),
    ])
    func `a server on another machine must present a valid certificate`(address: String, mode: String?) throws {
        #expect(try PostgresAddress(address).impliedMode == mode)
    }

    /// The environment belongs to the whole process, so this runs in another one.
    @Test func `a host from the environment or a service file counts`() async {
        await #expect(processExitsWith: .success) {
            let file = FileManager.default.temporaryDirectory.path() + "latchkey-services-\(getpid())"
            let services = """
                [remote]
                host=db.example.org
                [address]
                hostaddr=192.0.2.1
                [default]
                host=db.example.org
                sslmode=prefer
                [chosen]
                host=db.example.org
                sslmode=require
                [local]
                host=/run/postgresql
                """
            try services.write(toFile: file, atomically: true, encoding: .utf8)
            defer { try? FileManager.default.removeItem(atPath: file) }
            unsafe setenv("PGSERVICEFILE", file, 1)
            func mode(_ address: String, _ name: String = "PGUSER", _ value: String = "ada") throws -> String? {
                unsafe setenv(name, value, 1)
                defer { unsafe unsetenv(name) }
                return try PostgresAddress(address).impliedMode
            }
            for service in ["remote", "address", "default"] {
                #expect(try mode("service=\(service) dbname=accounts") == "verify-full", "\(service)")
                #expect(try mode("postgresql:///accounts", "PGSERVICE", service) == "verify-full", "\(service)")
            }
            for service in ["chosen", "local"] {
                #expect(try mode("service=\(service) dbname=accounts") == nil, "\(service)")
                #expect(try mode("postgresql:///accounts", "PGSERVICE", service) == nil, "\(service)")
            }
            #expect(try mode("postgresql:///accounts", "PGHOSTADDR", "192.0.2.1") == "verify-full")
            #expect(try mode("host=localhost", "PGHOSTADDR", "192.0.2.1") == "verify-full")
            #expect(try mode("postgresql:///accounts", "PGHOST", "db.example.org") == "verify-full")
            #expect(try mode("postgresql:///accounts", "PGHOST", "/run/postgresql") == nil)
            #expect(try mode("host=db.example.org", "PGSSLMODE", "require") == nil)
            #expect(try mode("host=db.example.org", "PGSSLMODE", "prefer") == nil)
        }
    }

    @Test(arguments: ["postgresql://[", "host = 'x", "colour=blue", "dbname=a\0b"])
    func `an address that libpq cannot parse is refused`(address: String) {
        #expect(throws: PostgresError.self) { try PostgresAddress(address) }
    }
}

extension PostgresAddress {
    fileprivate var impliedMode: String? { impliedSettings.first { $0.keyword == "sslmode" }?.value }
}
