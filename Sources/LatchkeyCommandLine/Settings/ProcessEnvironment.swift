import Glibc

/// The environment variables of the process; in a test, any.
struct ProcessEnvironment: Sendable {
    private let lookUp: @Sendable (String) -> [UInt8]?

    init(_ lookUp: @escaping @Sendable (String) -> [UInt8]?) { self.lookUp = lookUp }

    /// The process's own.
    static let process = ProcessEnvironment { name in
        guard let start = unsafe getenv(name) else { return nil }
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: strlen(start)))
    }

    /// The same with one variable alone.
    func only(_ name: String) -> ProcessEnvironment {
        ProcessEnvironment { [lookUp] in $0 == name ? lookUp($0) : nil }
    }

    /// Nil where it is not set, or empty, as the XDG Base Directory Specification asks.
    func bytes(_ name: String) -> [UInt8]? {
        lookUp(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Nil also where it is no UTF-8.
    func text(_ name: String) -> String? {
        bytes(name).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Whether it is set to anything but nothing and `0`.
    func isOn(_ name: String) -> Bool { bytes(name).map { $0 != Array("0".utf8) } ?? false }
}
