import LatchkeyNetworking
package import LatchkeySecrets
import LatchkeySystem

/// Stores the token of a login until the command prints it, so that this user's session file does not change.
package final class TokenHolder: SessionStore {
    private let held = Locked<Secret?>(nil)
    private let pending = Locked<Secret?>(nil)

    /// Creates an empty holder.
    package init() {}

    package func save(_ token: Secret) { held.withLock { $0 = token } }

    package func token() -> Secret? { held.withLock { $0 } }

    package func forget() { held.withLock { $0 = nil } }

    package func pendingLogin() -> Secret? { pending.withLock { $0 } }

    package func save(pendingLogin token: Secret?) { pending.withLock { $0 = token } }
}
