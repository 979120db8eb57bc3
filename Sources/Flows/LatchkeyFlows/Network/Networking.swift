public import LatchkeyForms

/// Carries out the calls of the flows: an account service in this process, a server, or a fake in a test.
public protocol Networking: Sendable {
    /// Makes a call with validated credentials. Never throws: every failure is a ``NetworkResponse``.
    func perform(call: AccountType, with credentials: Credentials) async -> NetworkResponse
}
