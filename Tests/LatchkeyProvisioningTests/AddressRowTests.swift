import Foundation
import LatchkeyAccounts
import LatchkeyForms
import LatchkeyProvisioning
import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

/// Rows of accounts without a username.
@Suite(.timeLimit(.minutes(60)))
struct AddressRowTests {
    private static let actor = AuditActor.operatingSystemUser(1000)

    private func take(
        _ rows: [AccountDraft], _ choice: ConflictChoice = .fail, in world: World
    ) async throws -> [ImportVerdict] {
        try await world.service.importBatch(try rows.map { try world.service.check($0) }, choice, by: Self.actor)
    }

    private func names(in world: World) async throws -> [String] {
        try await world.service.accounts(after: nil, limit: 9).map(\.name)
    }

    @Test func `rows without a username create accounts that have only an address`() async throws {
        let world = try World()
        let rows = ["carl@y.example", "carl@x.example"].map { AccountDraft(email: $0) }
        #expect(try await take(rows, in: world).count { $0.isChange } == 2)
        #expect(try await names(in: world) == ["carl@x.example", "carl@y.example"])
        await #expect(throws: AccountError.taken(field: .email)) { try await take(rows, in: world) }
        #expect(try await take(rows, .skip, in: world) == [.skipped, .skipped])
    }

    @Test func `an update finds an account by address and keeps a username that the row omits`()
        async throws
    {
        let world = try World()
        _ = try await take([AccountDraft(username: "ada", email: "ada@example.org")], in: world)
        let row = AccountDraft(email: "Ada@example.org", state: .disabled)
        #expect(try await take([row], .update, in: world).count { $0.isChange } == 1)
        let ada = try #require(try await world.service.accounts(after: nil, limit: 9).first)
        #expect(ada.username?.typed == "ada" && ada.state == .disabled && ada.email.typed == "Ada@example.org")
        #expect(try await take([row], .update, in: world) == [.unchanged(ada.id)])
    }

    @Test func `an empty username in a row removes the stored one`() async throws {
        let world = try World()
        _ = try await take([AccountDraft(username: "ada", email: "ada@example.org")], in: world)
        let row = AccountDraft(username: "", email: "ada@example.org")
        #expect(try await take([row], .update, in: world).count { $0.isChange } == 1)
        #expect(try await names(in: world) == ["ada@example.org"])
    }

    @Test func `a desired state without usernames identifies accounts by address`() async throws {
        let world = try World()
        _ = try await take(["a@example.org", "b@example.org"].map { AccountDraft(email: $0) }, in: world)
        let rows = try [
            AccountDraft(email: "b@example.org", state: .disabled), AccountDraft(email: "c@example.org"),
        ].map { try world.service.check($0) }
        guard case .plan(let plan) = try await world.service.plan(rows, pruning: true) else {
            Issue.record("no plan")
            return
        }
        #expect(
            plan.changes.map { $0.action.rawValue + " " + $0.name }
                == ["delete a@example.org", "disable b@example.org", "create c@example.org"])
    }

    @Test func `a desired state can add a username to an account without one`()
        async throws
    {
        let world = try World()
        let row = AccountDraft(username: "anna", email: "anna@example.org")
        _ = try await take([AccountDraft(email: "anna@example.org")], in: world)
        guard case .plan(let plan) = try await world.service.plan([world.service.check(row)], pruning: true) else {
            Issue.record("no plan")
            return
        }
        #expect(plan.changes.map { $0.action.rawValue + " " + $0.name } == ["update anna@example.org"])
        #expect(try await take([row], .update, in: world).count { $0.isChange } == 1)
        #expect(try await names(in: world) == ["anna"])
    }

    // MARK: Files

    /// A sign-up form with an optional username, or without one.
    private static func form(optional: Bool) throws -> Form {
        let username = #"{"apiKey":"username","placeholder":"U","optional":true,"rules":[{"rule":"username"}]},"#
        let text = """
            {"form":"setup","title":"T","submit":"S","fields":[\(optional ? username : "")
            {"apiKey":"email_field","flag":"email","placeholder":"E","rules":[{"rule":"email"}]},
            {"apiKey":"password","placeholder":"P","secret":true}]}
            """
        return try FormCatalogue.form(of: FormCatalogue.Source(file: "setup.json", bytes: Array(text.utf8)))
    }

    private static let files: [(format: RowFormat, text: String)] = [
        (.csv, "email\r\na@example.org\r\n"), (.csv, "username,email\r\n,a@example.org\r\n"),
        (.jsonl, #"{"email":"a@example.org"}"#), (.jsonl, #"{"username":null,"email":"a@example.org"}"#),
        (.jsonl, #"{"username":"","email":"a@example.org"}"#),
    ]

    @Test(arguments: files, [true, false])
    func `a username can be missing, null or empty`(
        file: (format: RowFormat, text: String), optional: Bool
    ) async throws {
        let world = try World()
        let account = try #require(try read(file.text, file.format, Self.form(optional: optional), world))
        #expect(account.username == nil && account.name == "a@example.org")
        // The shipped form requires a username.
        #expect(try read(file.text, file.format, FormCatalogue().form(for: .setup), world) == nil)
    }

    @Test func `a row can have a username even if the form has none`() async throws {
        let world = try World()
        let text = #"{"username":"Ada","email":"a@example.org"}"#
        #expect(try read(text, .jsonl, Self.form(optional: false), world)?.username?.typed == "Ada")
        let wrong = #"{"username":"a@b","email":"a@example.org"}"#
        #expect(try read(wrong, .jsonl, Self.form(optional: false), world) == nil)
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ text: String) throws -> RereadableFile {
        let path = try folder.write(Array(text.utf8), to: UUID().uuidString)
        return try RereadableFile(GivenFile(at: path)) { () throws(FileError) in throw .notFound }
    }

    /// The only account of a file; nil if its row is refused.
    private func read(_ text: String, _ format: RowFormat, _ form: Form, _ world: World) throws -> CheckedAccount? {
        let file = try file(text)
        var reader = RowReader(file, ImportOptions(format: format, jobs: 1), form, world.service)
        #expect(try reader.readHeader() == nil)
        guard case .valid(let row) = try #require(try reader.next()) else { return nil }
        return row.account
    }

    @Test(arguments: [RowFormat.csv, .jsonl])
    func `an export of accounts with and without usernames is imported unchanged`(format: RowFormat) async throws {
        let world = try World()
        _ = try await take(
            [AccountDraft(username: "Bo", email: "bo@example.org"), AccountDraft(email: "Al@example.org")],
            in: world)
        let page = try await world.service.exportPage(after: nil, limit: 9, withHashes: false)
        for optional in [true, false] {
            let form = try Self.form(optional: optional)
            let keys = page.entries.reduce(into: Set<String>()) { $0.formUnion(RowWriter.keys(of: $1)) }
            var writer = RowWriter(form, format, withHashes: false, attributes: keys)
            var bytes: [UInt8] = []
            writer.appendHeader(to: &bytes)
            for entry in page.entries { writer.append(entry, to: &bytes) }
            #expect(writer.omitted.isEmpty)
            let other = try World()
            var reader = RowReader(
                try file(String(decoding: bytes, as: UTF8.self)), ImportOptions(format: format, jobs: 1), form,
                other.service)
            #expect(try reader.readHeader() == nil)
            var rows: [CheckedAccount] = []
            while case .valid(let row)? = try reader.next() { rows.append(row.account) }
            _ = try await other.service.importBatch(rows, .fail, by: Self.actor)
            let copies = try await other.service.accounts(after: nil, limit: 9)
            #expect(copies.map(\.name) == ["Al@example.org", "Bo"])
            #expect(copies.map { $0.username?.typed } == [nil, "Bo"])
            #expect(copies.map(\.id) == page.entries.map(\.account.id))
        }
    }
}
