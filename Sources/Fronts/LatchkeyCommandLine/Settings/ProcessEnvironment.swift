import Glibc

/// The environment variables: those of the process, or a test's.
struct ProcessEnvironment: Sendable {
    private let lookUp: @Sendable (String) -> [UInt8]?

    init(_ lookUp: @escaping @Sendable (String) -> [UInt8]?) { self.lookUp = lookUp }

    /// The variables of this process.
    static let process = ProcessEnvironment { name in
        guard let start = unsafe getenv(name) else { return nil }
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: strlen(start)))
    }

    /// Nil if the variable is unset or empty, which the XDG Base Directory Specification treats alike.
    func bytes(_ name: String) -> [UInt8]? {
        lookUp(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Nil also if the value is not UTF-8.
    func text(_ name: String) -> String? {
        bytes(name).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Whether the variable is neither unset, empty nor `0`.
    func isOn(_ name: String) -> Bool { bytes(name).map { $0 != Array("0".utf8) } ?? false }

    /// `path` with `~` for the user's home folder.
    func abbreviated(_ path: String) -> String {
        guard let home = text("HOME"), home.count > 1, path.hasPrefix(home + "/") else { return path }
        return "~" + path.dropFirst(home.count)
    }
}
