import Foundation
import Testing

/// Import files in a sandbox, and the accounts in its store.
extension Sandbox {
    static let bcrypt = "$2b$04$abcdefghijklmnopqrstuu5s8v8.iXieOjg/.AySBTTZIIVFJeBui"

    /// Writes a file with mode 0600 and returns its name.
    @discardableResult
    func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
        let file = folder.appending(path: name)
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        return name
    }

    /// JSON Lines with `count` accounts that have imported hashes.
    func writeRows(_ range: Range<Int>, to name: String = "many.jsonl", hash: String = Sandbox.bcrypt) throws -> String
    {
        var text = ""
        for number in range {
            text += #"{"username":"n\#(number)","email":"n\#(number)@example.org","password_hash":"\#(hash)"}"# + "\n"
        }
        return try write(text, to: name)
    }

    func contents(of name: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
    }

    /// The number of accounts; 0 if there is no store.
    func accountCount() throws -> Int {
        guard FileManager.default.fileExists(atPath: store.path) else { return 0 }
        return try #require(Int(try sqlite("SELECT count(*) FROM account")))
    }
}
