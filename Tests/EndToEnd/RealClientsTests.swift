import Foundation
import Testing

/// Servers that have nothing to do with Latchkey take the hashes that it makes.
@Suite struct RealClientsTests {
    private static func isInstalled(_ paths: String...) -> Bool {
        paths.allSatisfy { FileManager.default.fileExists(atPath: $0) }
    }

    private static let hasDovecot = isInstalled("/usr/bin/doveadm")

    /// The Argon2id hash of an account, as the store has it.
    private func hash(_ sandbox: Sandbox, _ password: String) throws -> String {
        try sandbox.setUp("ada", password: password)
        let hash = try sandbox.sqlite("SELECT password_hash FROM account")
        try #require(hash.hasPrefix("$argon2id$"))
        return hash
    }

    @Test(.enabled(if: hasDovecot, "dovecot is not installed"), arguments: ["correct horse battery", "café au lait é"])
    func `dovecot lets in whoever has the password`(password: String) throws {
        let sandbox = try Sandbox()
        let hash = try hash(sandbox, password)
        for (given, status) in [(password, Int32(0)), (password + "!", 1)] {
            let ending = try sandbox.run("/usr/bin/doveadm", "pw", "-t", "{ARGON2ID}" + hash, "-p", given)
            #expect((ending.status == 0) == (status == 0), "\(ending.stderr)")
            #expect(ending.stdout.contains("(verified)") == (status == 0))
        }
    }
}
