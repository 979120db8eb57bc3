import Foundation
import LatchkeyForms
import TestSupport
import Testing

/// The files of version 0.1 can still be read: `Tests/Fixtures/0.1`. `JSONShapesTests` compares the output of `--json`.
@Suite(.programs, .timeLimit(.minutes(60)))
struct Release01Tests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// Copies a fixture file or folder to `target`, with access only for its owner.
    private func place(_ name: String, at target: URL) throws {
        let files = FileManager.default
        try files.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try files.copyItem(at: Fixture.folder.appending(path: "0.1/" + name), to: target)
        let inside = files.enumerator(atPath: target.path)?.compactMap { ($0 as? String).map { "/" + $0 } } ?? []
        for path in [""] + inside {
            let type = try files.attributesOfItem(atPath: target.path + path)[.type] as? FileAttributeType
            try files.setAttributes(
                [.posixPermissions: type == .typeDirectory ? 0o700 : 0o600], ofItemAtPath: target.path + path)
        }
    }

    /// The export of the accounts by the current version, by username.
    private func exported() throws -> [String: [String: NSObject]] {
        let ending = try sandbox.latchkey("accounts", "export", "now.jsonl", "--with-hashes", "--forms", "forms")
        try #require(ending.status == 0, "\(ending.stderr)")
        return try Self.accounts(in: sandbox.contents(of: "now.jsonl"))
    }

    private static func accounts(in lines: String) throws -> [String: [String: NSObject]] {
        let accounts = try lines.split(separator: "\n").map { line in
            try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: NSObject])
        }
        return Dictionary(uniqueKeysWithValues: accounts.map { ("\($0["username"] ?? NSNull())", $0) })
    }

    /// Expects each value that version 0.1 exported. The current version may add others.
    private func expectTheAccounts() throws {
        let before = try Self.accounts(in: String(decoding: Fixture.contents(of: "0.1/export.jsonl"), as: UTF8.self))
        let now = try exported()
        #expect(before.count == 4 && now.count == 4)
        for (name, account) in before {
            for (key, value) in account { #expect(now[name]?[key] == value, "\(name): \(key)") }
        }
    }

    @Test(arguments: ["jsonl", "csv"]) func `an export of the first release is imported`(format: String) throws {
        try place("forms", at: sandbox.folder.appending(path: "forms"))
        try place("export." + format, at: sandbox.folder.appending(path: "export." + format))
        let ending = try sandbox.latchkey("accounts", "import", "export." + format, "--forms", "forms")
        #expect(ending.status == 0, "\(ending.stderr)")
        try expectTheAccounts()
        for name in ["ada", "joão"] {
            let login = try sandbox.latchkey(
                "login", "--username", name, "--password-stdin", input: "correct horse battery\n")
            #expect(login.status == 0, "\(name): \(login.stderr)")
        }
        let change = try sandbox.latchkey(
            "login", "--username", "eve", "--password-stdin", input: "a new long password\n")
        #expect(change.status == 77, "\(change.stderr)")
        #expect(try sandbox.latchkey("audit", "verify").status == 0)
    }
}
