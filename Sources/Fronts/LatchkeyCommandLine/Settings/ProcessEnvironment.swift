import Glibc

/// The environment variables of the process, or those of a test.
struct ProcessEnvironment: Sendable {
    private let lookUp: @Sendable (String) -> [UInt8]?

    init(_ lookUp: @escaping @Sendable (String) -> [UInt8]?) { self.lookUp = lookUp }

    /// The variables of this process.
    static let process = ProcessEnvironment { name in
        guard let start = unsafe getenv(name) else { return nil }
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: strlen(start)))
    }

    /// The value; nil if the variable is unset or empty, which the XDG Base Directory Specification treats alike.
    func bytes(_ name: String) -> [UInt8]? {
        lookUp(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The value as a string; nil if the variable is unset or empty, or if the value is not UTF-8.
    func text(_ name: String) -> String? {
        bytes(name).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Whether the variable has a value other than an empty string or `0`.
    func isOn(_ name: String) -> Bool { bytes(name).map { $0 != Array("0".utf8) } ?? false }

    /// The `path` with `~` instead of the user's home folder.
    func abbreviated(_ path: String) -> String {
        guard let home = text("HOME"), home.count > 1, path.hasPrefix(home + "/") else { return path }
        return "~" + path.dropFirst(home.count)
    }
}
