public import LatchkeyForms

/// Whoever does what a flow asks: an account service in this process, a server, a fake in a test.
public protocol Networking: Sendable {
    /// Calls with validated credentials. Never throws: whatever goes wrong is a ``NetworkResponse``.
    func perform(call: AccountType, with credentials: Credentials) async -> NetworkResponse
}
