import Foundation
import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeyCommandLine

@Suite(.timeLimit(.minutes(60))) struct StoreKeyFileTests {
    private func location(in folder: String) throws -> StoreLocation {
        let environment = ProcessEnvironment { $0 == "HOME" ? Array(folder.utf8) : nil }
        let store = Invocation.Flag(name: "store", value: Argument(folder + "/accounts.sqlite"))
        return try StoreLocation(Settings(flags: [store], environment: environment))
    }

    @Test func `a key is created once and readable only by its owner`() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let location = try location(in: folder.path)
        #expect(throws: AccountError.self) { try StoreKeyFile.key(nextTo: location) }
        try StoreKeyFile.make(nextTo: location)
        let file = location.keysFolder + "/store.key"
        let first = try Data(contentsOf: URL(filePath: file))
        #expect(first.count == 32)
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        try StoreKeyFile.make(nextTo: location)
        #expect(try Data(contentsOf: URL(filePath: file)) == first)
        _ = try StoreKeyFile.key(nextTo: location)
    }

    /// A system without random bytes is reported as such (status 71).
    @Test func `without random bytes, no key is created`() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let location = try location(in: folder.path)
        #expect(throws: AccountError.noRandomness) { try StoreKeyFile.make(nextTo: location, from: .exhausted) }
        #expect(!FileManager.default.fileExists(atPath: location.keysFolder))
    }
}
