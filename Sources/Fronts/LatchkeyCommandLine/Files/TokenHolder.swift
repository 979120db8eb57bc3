import LatchkeyNetworking
package import LatchkeySecrets
import LatchkeySystem

/// Holds the token of a login until the command prints it, so that this user's session file is not changed.
package final class TokenHolder: SessionStore {
    private let held = Locked<Secret?>(nil)
    private let pending = Locked<Secret?>(nil)

    /// Holds no token yet.
    package init() {}

    package func save(_ token: Secret) { held.withLock { $0 = token } }

    package func token() -> Secret? { held.withLock { $0 } }

    package func forget() { held.withLock { $0 = nil } }

    package func pendingLogin() -> Secret? { pending.withLock { $0 } }

    package func save(pendingLogin token: Secret?) { pending.withLock { $0 = token } }
}
