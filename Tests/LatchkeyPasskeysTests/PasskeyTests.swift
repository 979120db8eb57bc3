import LatchkeyAccounts
import LatchkeyPasskeys
import PasskeyCases
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct PasskeyTests {
    private static let tables = [
        "passkeys/chromium.jsonl", "passkeys/registrations.jsonl", "passkeys/assertions.jsonl",
    ]

    private static func rows(_ table: String) throws -> [PasskeyCase] {
        try Fixture.rows(of: PasskeyCase.self, in: table)
    }

    private static func verdict(_ row: PasskeyCase) -> String {
        do throws(PasskeyFailure) {
            _ = try row.verify()
            return "ok"
        } catch {
            return error.rawValue
        }
    }

    @Test(arguments: tables)
    func `each response gets the verdict in the table`(table: String) throws {
        for row in try Self.rows(table) { #expect(Self.verdict(row) == row.verdict, "\(table): \(row.why)") }
    }

    @Test func `client data may say that they have no outermost origin`() throws {
        let start = #"{"type":"webauthn.get","challenge":"AA","origin":"https://a.example""#
        for (rest, isCrossOrigin) in [
            ("}", false), (#","topOrigin":null}"#, false), (#","crossOrigin":null,"topOrigin":null}"#, false),
            (#","crossOrigin":false,"topOrigin":null}"#, false), (#","crossOrigin":true,"topOrigin":null}"#, true),
            (#","topOrigin":""}"#, true),
        ] {
            #expect(try ClientData(Array((start + rest).utf8)).isCrossOrigin == isCrossOrigin, "\(rest)")
        }
        for rest in [#","origin":null}"#, #","type":null}"#, #","topOrigin":1}"#, #","crossOrigin":"false"}"#] {
            #expect(throws: PasskeyFailure.malformedClientData) { try ClientData(Array((start + rest).utf8)) }
        }
    }

    @Test func `each failure has a test case`() throws {
        let verdicts = Set(try Self.tables.flatMap(Self.rows).map(\.verdict))
        #expect(verdicts == Set(PasskeyFailure.allCases.map(\.rawValue) + ["ok"]))
    }

    @Test func `a registration returns the credential`() throws {
        let rows = try Self.rows("passkeys/registrations.jsonl")
        let backedUp = try #require(rows.first { $0.why == "backed up" }).verify()
        #expect(backedUp.id.count == 32)
        #expect(try COSEKey(backedUp.publicKey).algorithm == .es256)
        #expect(backedUp.isBackupEligible && backedUp.isBackedUp && backedUp.signCount == 0)
        let eligible = try #require(rows.first { $0.why == "eligible for a backup" }).verify()
        #expect(eligible.isBackupEligible && !eligible.isBackedUp)
        let longest = try #require(rows.first { $0.why == "the longest credential ID" }).verify()
        #expect(longest.id.count == 1023)
    }

    @Test func `only well-formed transports are stored`() throws {
        let row = try #require(
            try Self.rows("passkeys/registrations.jsonl").first { $0.why.hasPrefix("transports") })
        #expect(try row.verify().transports == ["hybrid", "usb"])
    }

    @Test func `a login returns the new counter and the backup state`() throws {
        let rows = try Self.rows("passkeys/assertions.jsonl")
        let highest = try #require(rows.first { $0.why == "the highest counter" }).verify()
        #expect(highest.signCount == .max && !highest.isBackedUp)
        let backedUp = try #require(rows.first { $0.why.hasPrefix("backed up since") }).verify()
        #expect(backedUp.signCount == 8 && backedUp.isBackedUp)
    }

    @Test func `registrations and logins of Chromium's authenticator are accepted with each algorithm`() throws {
        let credentials = try Self.rows("passkeys/chromium.jsonl").map { try $0.verify() }
        #expect(
            try credentials.map { try COSEKey($0.publicKey).algorithm } == [
                .es256, .es256, .edDSA, .edDSA, .rs256, .rs256,
            ])
        #expect(credentials.map(\.signCount) == [1, 2, 1, 2, 1, 2])
    }

    @Test(arguments: [
        ("https://accounts.example.org", "accounts.example.org"), ("https://example.org:8443", "example.org"),
        ("http://localhost:8080", "localhost"), ("http://accounts.localhost:8080", "accounts.localhost"),
        ("https://xn--bcher-kva.example", "xn--bcher-kva.example"),
        ("http://example.org", nil), ("https://192.0.2.1", nil), ("http://127.0.0.1:8080", nil), ("https://[::1]", nil),
    ])
    func `passkeys are supported only for origins on which browsers allow them`(origin: String, id: String?) throws {
        let origin = try #require(WebOrigin(origin))
        #expect(RelyingParty(origin: origin)?.id == id)
        #expect((RelyingParty(origin: origin)?.origins ?? [origin]) == [origin])
    }

    /// Audit trails contain these codes.
    @Test func `failure codes never change`() {
        #expect(
            PasskeyFailure.allCases.map(\.rawValue) == [
                "malformed_client_data", "malformed_attestation", "malformed_authenticator_data", "malformed_key",
                "wrong_type", "wrong_challenge", "wrong_origin", "cross_origin", "wrong_relying_party",
                "user_not_present", "user_not_verified", "inconsistent_backup", "backup_eligibility_changed",
                "credential_id_length", "unsupported_algorithm", "wrong_credential", "wrong_user", "wrong_signature",
                "counter_regressed",
            ])
    }
}
