import Foundation
import LatchkeyAccounts
import LatchkeyForms
import LatchkeyProvisioning
import LatchkeySystem
import TestSupport
import Testing

/// An import without the command line, into an in-memory store.
@Suite(.timeLimit(.minutes(60)))
struct AccountImportTests {
    /// The reports of an import.
    private final class Reports {
        var codes: [RuleFailure.Code] = []
        var verdicts: [ImportVerdict] = []
        var planned = 0
        var isStopped = false
    }

    private let folder: TemporaryFolder
    private let world: World
    private let reports = Reports()

    init() throws {
        folder = try TemporaryFolder()
        world = try World()
    }

    private func row(_ name: String) -> String { #"{"username":"\#(name)","email":"\#(name)@example.org"}"# + "\n" }

    /// An import of a file, and the file's path.
    private func work(
        _ text: String, _ choice: ConflictChoice = .fail, skipsRefusedRows: Bool = false
    ) throws -> (AccountImport, String) {
        let path = try folder.write(Array(text.utf8), to: UUID().uuidString)
        let file = try RereadableFile(GivenFile(at: path)) { () throws(FileError) in throw .notFound }
        var options = ImportOptions(format: .jsonl, jobs: 2)
        options.onConflict = choice
        options.skipsRefusedRows = skipsRefusedRows
        let reports = reports
        let work = AccountImport(file, options, try FormCatalogue.shipped.form(for: .setup)) { event in
            switch event {
            case .refused(let problems): reports.codes += problems.map(\.failure.code)
            case .planned: reports.planned += 1
            case .written(let rows): reports.verdicts += rows.map(\.verdict)
            case .progress: break
            }
        } goesOn: {
            !reports.isStopped
        }
        return (work, path)
    }

    private func check(_ work: AccountImport) async throws(ProvisioningError) -> AccountImport.Findings {
        try await work.check(with: world.service, hasStore: true) { () throws(FileError) in throw .notFound }
    }

    private func write(
        _ work: AccountImport, _ findings: AccountImport.Findings
    ) async throws(ProvisioningError) {
        try await work.write(findings, with: world.service, by: .operatingSystemUser(7))
    }

    @Test func `a check finds the valid rows, and the import creates them`() async throws {
        let (work, _) = try work(row("ada") + "{}\n" + row("bo") + row("ada"), skipsRefusedRows: true)
        let findings = try await check(work)
        #expect(findings.rows == 4 && findings.importable == 2)
        #expect(reports.codes.last == .duplicate)
        let hadAccounts = try await world.service.hasAccounts()
        #expect(!hadAccounts)
        try await write(work, findings)
        #expect(reports.verdicts.count == 2)
        _ = try await world.service.account(.username(try Username("bo")))
    }

    @Test func `a dry run reports every valid row and writes nothing`() async throws {
        let (work, _) = try work(row("ada") + row("bo"))
        let findings = try await check(work)
        try await work.rehearse(findings, with: world.service, hasStore: true)
        let hasAccounts = try await world.service.hasAccounts()
        #expect(reports.planned == 2 && !hasAccounts)
    }

    @Test(arguments: [false, true])
    func `if a username is taken after the check, the import stops or skips the row`(skips: Bool) async throws {
        let (work, _) = try work(row("ada") + row("bo"), skipsRefusedRows: skips)
        let findings = try await check(work)
        try await world.create("ada")
        if skips {
            try await write(work, findings)
            #expect(reports.verdicts.count == 1)
        } else {
            await #expect(throws: ProvisioningError.overtaken) { try await write(work, findings) }
        }
        #expect(reports.codes == [.taken])
    }

    /// S-136.
    @Test(arguments: ConflictChoice.allCases)
    func `an import updates an account with an unsafe username but never assigns one`(
        choice: ConflictChoice
    ) async throws {
        let ada = try await world.create("ada")
        let unsafe = try Username("../ada")
        try await world.edit(ada.id) { $0.username = unsafe }
        let rows = """
            {"username":"../ada","email":"ada@example.net"}
            {"username":"--help","email":"help@example.org"}
            {"id":"\(ada.id.text)","username":"$(id)","email":"id@example.org"}
            {"username":"bo","email":"bo@example.org"}

            """
        let (work, _) = try work(rows, choice, skipsRefusedRows: true)
        let findings = try await check(work)
        let refused: [RuleFailure.Code] =
            switch choice {
            case .fail: [.taken, .accountName, .taken]
            case .skip: [.accountName]
            case .update: [.accountName, .accountName]
            }
        #expect(reports.codes == refused && findings.importable == 4 - refused.count)
        try await work.rehearse(findings, with: world.service, hasStore: true)
        #expect(reports.planned == findings.importable)
        try await write(work, findings)
        let email = try await world.service.account(.id(ada.id)).email.typed
        #expect(email == (choice == .update ? "ada@example.net" : "ada@example.org"))
        let names = try await world.service.accounts(after: nil, limit: 10).map(\.name)
        #expect(names == ["../ada", "bo"])
    }

    /// S-136: without a store, every account is new.
    @Test func `the first import refuses an unsafe username`() async throws {
        let (work, _) = try work(#"{"username":"a/b","email":"a@example.org"}"# + "\n", .update)
        let findings = try await work.check(with: world.service, hasStore: false) { () throws(FileError) in
            throw .notFound
        }
        #expect(reports.codes == [.accountName] && findings.importable == 0)
        _ = try await check(work)
        #expect(reports.codes == [.accountName, .accountName])
    }

    /// S-136.
    @Test func `a name that becomes unsafe after the check is refused`() async throws {
        let ada = try await world.create("ada")
        let (unsafe, safe) = (try Username("../ada"), try Username("ada"))
        try await world.edit(ada.id) { $0.username = unsafe }
        let (work, _) = try work(
            #"{"username":"../ada","email":"ada@example.net"}"# + "\n" + row("bo"), .update, skipsRefusedRows: true)
        let findings = try await check(work)
        #expect(reports.codes.isEmpty)
        try await world.edit(ada.id) { $0.username = safe }
        try await write(work, findings)
        #expect(reports.codes == [.accountName] && reports.verdicts.count == 1)
    }

    @Test func `a file that changes after the check is not imported`() async throws {
        let (work, path) = try work(row("ada"))
        let findings = try await check(work)
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        try handle.write(contentsOf: Data("x".utf8))
        try handle.close()
        await #expect(throws: ProvisioningError.fileChanged) { try await write(work, findings) }
    }

    @Test func `an import stops on request`() async throws {
        let (work, _) = try work(row("ada"))
        let findings = try await check(work)
        reports.isStopped = true
        await #expect(throws: ProvisioningError.stopped) { try await write(work, findings) }
        await #expect(throws: ProvisioningError.stopped) { _ = try await check(work) }
        #expect(reports.verdicts.isEmpty)
    }
}
