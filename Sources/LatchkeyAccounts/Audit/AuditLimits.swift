/// How much of the audit trail is kept. What is over is dropped from its start, a whole segment at a time.
public struct AuditLimits: Equatable, Sendable {
    /// In the store, about.
    public var bytes: Int64
    /// Since the newest record of a segment.
    public var age: Duration

    /// - Parameters:
    ///   - bytes: 100 MiB, some 400,000 records.
    ///   - age: 365 days.
    public init(bytes: Int64 = 100 << 20, age: Duration = .seconds(365 * 86400)) {
        self.bytes = bytes
        self.age = age
    }
}
