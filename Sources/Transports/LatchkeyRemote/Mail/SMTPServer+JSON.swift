package import LatchkeyForms
package import LatchkeySecrets
import LatchkeySystem

extension SMTPServer {
    /// Reads `{"smtp":{"url":"smtps://mail.example.org","user":"…","password_file":"…","from":"…"}}`. `user` and
    /// `password_file` may both be missing. `hello` and `"tls":"none"` are optional.
    ///
    /// - Parameter password: reads a password file with an absolute path, for example ``password(at:)``.
    package init(
        json: JSONValue, password: (String) throws(SMTPServerError) -> Secret = Self.password(at:)
    ) throws(SMTPServerError) {
        guard case .object(let outer) = json, outer.count == 1, outer[0].key == "smtp",
            case .object(let members) = outer[0].value
        else { throw .notAnObject }
        if let unknown = members.first(where: { !Self.keys.contains($0.key) }) { throw .unknownMember(unknown.key) }
        var texts: [String: String] = [:]
        for (key, value) in members {
            guard let text = value.string else { throw .notText(key) }
            texts[key] = text
        }
        guard let url = texts["url"] else { throw .missing("url") }
        guard let sender = texts["from"] else { throw .missing("from") }
        let isPlain = texts["tls"] != nil
        guard !isPlain || texts["tls"] == "none" else { throw .plain }
        var login: Login?
        switch (texts["user"], texts["password_file"]) {
        case (nil, nil): break
        case (_?, nil): throw .missing("password_file")
        case (nil, _?): throw .missing("user")
        case (let user?, let path?):
            guard path.hasPrefix("/"), !path.utf8.contains(0) else { throw .relativePath(path) }
            // Checks the rest before it reads the file.
            guard !isPlain else { throw .plain }
            _ = try SMTPServer(url: url, login: nil, sender: sender, hello: texts["hello"])
            login = try Login(user: user, password: try password(path))
        }
        try self.init(url: url, login: login, sender: sender, hello: texts["hello"], isPlain: isPlain)
    }

    private static let keys: Set<String> = ["url", "user", "password_file", "from", "hello", "tls"]

    /// Reads a password from a file that only its owner can read. A line break at the end is removed.
    package static func password(at path: String) throws(SMTPServerError) -> Secret {
        var bytes: SecretBytes
        do throws(FileError) {
            let file = try GivenFile(at: path, takesPipes: false)
            guard !file.isReadableByOthers else { throw .exposed(path: path) }
            bytes = try file.readSecret(limit: 1026)
        } catch {
            switch error {
            case .notFound: throw .passwordFile(path: path, .missing)
            case .exposed, .openFolder, .otherOwner: throw .passwordFile(path: path, .exposed)
            case .tooLarge: throw .password
            default: throw .passwordFile(path: path, .unreadable)
            }
        }
        for lineBreak in [UInt8(ascii: "\n"), UInt8(ascii: "\r")] {
            let isLast = bytes.withBytes { $0.count > 0 && $0[$0.count - 1] == lineBreak }
            if isLast { _ = bytes.replaceSubrange((bytes.count - 1)..<bytes.count, with: [UInt8]().span) }
        }
        return Secret(bytes)
    }
}
