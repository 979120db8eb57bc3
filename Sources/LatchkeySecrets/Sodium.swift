import CSodium

/// libsodium's own start, before its first use.
enum Sodium {
    private static let started = sodium_init() >= 0

    /// Idempotent and safe from any thread (`sodium_init(3)`). A failure shows in what is asked of the library next:
    /// memory is not given, and nothing is hashed without any.
    static func start() { _ = started }
}
