import CPostgres
import Glibc

/// The address of a database: a URL or a list of keywords and values, in libpq's format.
///
/// Missing values come from libpq's environment variables, service file and password file.
struct PostgresAddress: Sendable {
    let text: String
    /// The parameters that the address omits and for which Latchkey uses other defaults than libpq.
    private let defaults: [(keyword: String, value: String)]

    /// The `sslmode` that Latchkey adds; nil if the address contains one.
    var impliedMode: String? { defaults.first { $0.keyword == "sslmode" }?.value }

    /// - Throws: ``PostgresError/unreachable(reason:)`` if libpq cannot parse the address.
    init(_ text: String) throws(PostgresError) {
        guard !text.utf8.contains(0) else { throw .unreachable(reason: "a zero byte in the address") }
        let settings = try Self.settings(of: text)
        self.text = text
        let hasMode = settings["sslmode"] != nil || Self.variable("PGSSLMODE") != nil
        var defaults: [(keyword: String, value: String)] = []
        if !hasMode && Self.isRemote(settings) { defaults.append(("sslmode", "verify-full")) }
        if settings["connect_timeout"] == nil { defaults.append(("connect_timeout", "5")) }
        self.defaults = defaults
    }

    /// Whether any of the hosts is on another machine, judging by its name. A service file is not read.
    private static func isRemote(_ settings: [String: String]) -> Bool {
        let given = settings["hostaddr"] ?? settings["host"] ?? variable("PGHOSTADDR") ?? variable("PGHOST")
        let hosts = (given ?? "").split(separator: ",")
        return hosts.contains { host in
            !(host.hasPrefix("/") || host.hasPrefix("@") || ["localhost", "127.0.0.1", "::1"].contains(host))
        }
    }

    private static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(validatingCString: value)
    }

    /// A libpq message, joined into one line.
    static func line(_ message: String) -> String {
        let lines = message.split(separator: "\n").map { $0.drop { $0.isWhitespace } }
        return String(lines.joined(separator: ". ").prefix(500))
    }

    /// The keywords with their values.
    private static func settings(of text: String) throws(PostgresError) -> [String: String] {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = unsafe PQconninfoParse(text, &message) else {
            guard let message = unsafe message else { throw .outOfMemory }
            defer { unsafe PQfreemem(message) }
            throw .unreachable(reason: line(unsafe String(validatingCString: message) ?? ""))
        }
        defer { unsafe PQconninfoFree(options) }
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
            [("fallback_application_name", "latchkey"), ("dbname", text), ("client_encoding", "UTF8")] + defaults
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
