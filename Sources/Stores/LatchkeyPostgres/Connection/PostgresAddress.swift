import CPostgres
import Glibc

/// The address of a database: a URL or a list of keywords and values, in libpq's format.
///
/// Missing values come from libpq's environment variables, service file and password file.
struct PostgresAddress: Sendable {
    let text: String
    /// Whether the address or `PGSSLMODE` chooses the `sslmode`.
    private let hasMode: Bool

    /// - Throws: ``PostgresError/unreachable(reason:)`` if libpq cannot parse the address.
    init(_ text: String) throws(PostgresError) {
        guard !text.utf8.contains(0) else { throw .unreachable(reason: "a zero byte in the address") }
        let hasMode = try Self.settings(of: text)["sslmode"] != nil
        self.text = text
        self.hasMode = unsafe hasMode || getenv("PGSSLMODE") != nil
    }

    /// The parameters that Latchkey adds, because libpq has other defaults.
    ///
    /// libpq's own default, `sslmode=prefer`, accepts any server and even an unencrypted connection. A service file
    /// that names `prefer` cannot be told from that default, so it does not count.
    var impliedSettings: [(keyword: String, value: String)] {
        let settings = effectiveSettings
        var implied: [(keyword: String, value: String)] = []
        if !hasMode, settings["sslmode", default: "prefer"] == "prefer", !Self.isOnThisMachine(settings) {
            implied.append(("sslmode", "verify-full"))
        }
        if settings["connect_timeout"] == nil { implied.append(("connect_timeout", "5")) }
        return implied
    }

    /// Whether every host is a Unix socket or a loopback address. `hostaddr` overrides `host` for each host of a list.
    private static func isOnThisMachine(_ settings: [String: String]) -> Bool {
        guard settings["sslmode"] != nil else { return false }
        func list(_ keyword: String) -> [String] {
            settings[keyword].map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) } ?? []
        }
        let (names, addresses) = (list("host"), list("hostaddr"))
        return (0..<max(names.count, addresses.count)).allSatisfy { index in
            let address = index < addresses.count ? addresses[index] : ""
            let host = address.isEmpty && index < names.count ? names[index] : address
            // Without any host, libpq uses the default Unix socket.
            return host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || isLoopback(host)
        }
    }

    private static func isLoopback(_ host: String) -> Bool {
        var address = in_addr()
        if unsafe inet_pton(AF_INET, host, &address) == 1 {
            return UInt32(bigEndian: address.s_addr) >> 24 == 127
        }
        return host == "::1" || host.lowercased() == "localhost"
    }

    /// The settings of a connection, with the values from the environment and the service file; empty if libpq cannot
    /// read them.
    private var effectiveSettings: [String: String] {
        // libpq reads all settings before it refuses an invalid one, and then does not connect.
        let invalid = unsafe withCStrings(["dbname", "channel_binding"]) { keywords in
            unsafe withCStrings([text, "unresolved"]) { values in unsafe PQconnectStartParams(keywords, values, 1) }
        }
        defer { unsafe PQfinish(invalid) }
        guard let options = unsafe PQconninfo(invalid) else { return [:] }
        defer { unsafe PQconninfoFree(options) }
        return unsafe Self.settings(in: options)
    }

    /// A libpq message, joined into one line.
    static func line(_ message: String) -> String {
        let lines = message.split(separator: "\n").map { $0.drop { $0.isWhitespace } }
        return String(lines.joined(separator: ". ").prefix(500))
    }

    /// The keywords of an address with their values.
    private static func settings(of text: String) throws(PostgresError) -> [String: String] {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = unsafe PQconninfoParse(text, &message) else {
            guard let message = unsafe message else { throw .outOfMemory }
            defer { unsafe PQfreemem(message) }
            throw .unreachable(reason: line(unsafe String(validatingCString: message) ?? ""))
        }
        defer { unsafe PQconninfoFree(options) }
        return unsafe settings(in: options)
    }

    private static func settings(in options: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
        var settings: [String: String] = [:]
        var option = unsafe options
        while let keyword = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val, let name = unsafe String(validatingCString: keyword),
                let setting = unsafe String(validatingCString: value)
            {
                settings[name] = setting
            }
            unsafe option += 1
        }
        return settings
    }

    /// Connects and returns the connection, whatever its state; nil if there is not enough memory. The caller must
    /// finish it.
    func connect() -> OpaquePointer? {
        // Keywords after `dbname` override those in the address.
        let settings =
            [("fallback_application_name", "latchkey"), ("dbname", text), ("client_encoding", "UTF8")] + impliedSettings
        return unsafe withCStrings(settings.map(\.0)) { keywords in
            unsafe withCStrings(settings.map(\.1)) { values in unsafe PQconnectdbParams(keywords, values, 1) }
        }
    }
}

/// Lends an array of C strings that ends with a null pointer.
private func withCStrings<Value>(
    _ texts: [String], _ body: ([UnsafePointer<CChar>?]) -> Value
) -> Value {
    let copies = unsafe texts.map { unsafe strdup($0) }
    defer { for index in texts.indices { unsafe free(copies[index]) } }
    return unsafe body(copies.map { unsafe UnsafePointer($0) } + [nil])
}
