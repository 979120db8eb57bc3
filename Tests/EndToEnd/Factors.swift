import Foundation
import Testing

/// Helpers for tests with second factors.
extension Sandbox {
    /// The data of an authenticator app and the saved codes of its owner.
    struct Factor {
        /// The secret in base 32, without spaces.
        let key: String
        let savedCodes: [String]
    }

    /// Logs ada in, and sets up an authenticator app. Creates the account if there is no store.
    func addFactor() throws -> Factor {
        if !FileManager.default.fileExists(atPath: store.path) { try setUp("ada") }
        let login = try latchkey("login", "ada", "--password-stdin", input: Self.password + "\n")
        try #require(login.status == 0, "\(login.stderr)")
        return try addFactor { try latchkey($0, input: Data($1.utf8)) }
    }

    /// Sets up an authenticator app with the commands that `run` runs.
    func addFactor(_ run: ([String], _ input: String) throws -> Ending) throws -> Factor {
        let begun = try run(["factors", "add", "totp", "--no-input", "--json"], "")
        let secret = try #require(try begun.json()["secret"] as? String, "\(begun.stderr)")
        let key = secret.replacing(" ", with: "")
        let added = try run(["factors", "add", "totp", "--code-stdin", "--json"], try code(of: key) + "\n")
        let codes = try #require(try added.json()["saved_codes"] as? [String], "\(added.stderr)")
        try awaitNextStep()
        return Factor(key: key, savedCodes: codes)
    }

    /// The code that an authenticator app shows for this secret.
    func code(of key: String) throws -> String {
        try run("/usr/bin/oathtool", "--totp", "-b", key).stdout.trimmingCharacters(in: .newlines)
    }

    /// Backdates the accepted codes by minutes, so that the app's next code is accepted.
    func awaitNextStep() throws { _ = try sqlite("UPDATE authenticator SET last_step = last_step - 10") }
}
