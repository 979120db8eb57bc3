public import LatchkeyForms

/// Performs the calls of the flows: an account service in this process, a server, or a test double.
public protocol Networking: Sendable {
    /// Makes a call with validated credentials. It never throws, because every failure is a ``NetworkResponse``.
    func perform(call: AccountType, with credentials: Credentials) async -> NetworkResponse
}
