import LatchkeyAccounts
import LatchkeySystem

/// Finds out which applications have fetched the newest key that signs ID tokens.
///
/// A request for the keys does not name its application. It counts for each application that has authenticated from the
/// same address, before or after it. Applications behind one address therefore count together.
final class KeyFetches: Sendable {
    private struct State {
        /// The time of the last request for the keys from each address.
        var fetches: [String: Timestamp] = [:]
        /// The applications that have authenticated from each address.
        var clients: [String: Set<String>] = [:]
        /// The newest key, and the applications that are known to have it.
        var newest = ""
        var known: Set<String> = []

        mutating func expect(_ key: SigningKeyRecord) {
            guard key.id != newest else { return }
            (newest, known) = (key.id, [])
        }
    }

    private let state = Locked(State())
    /// The most addresses, and applications of an address. Beyond that, everything is forgotten and seen again.
    private static let capacity = 1024

    /// Notes a request for the keys.
    ///
    /// - Returns: the applications that have the newest key now, and were not known to have it.
    func fetched(from address: String, at now: Timestamp, newest: SigningKeyRecord) -> [String] {
        state.withLock { state in
            state.expect(newest)
            if state.fetches.count >= Self.capacity { state.fetches = [:] }
            state.fetches[address] = now
            return state.clients[address, default: []].filter { state.known.insert($0).inserted }
        }
    }

    /// Notes a request for the keys, unless an application has them only now.
    ///
    /// - Returns: false if ``fetched(from:at:newest:)`` must note it.
    func noteRepeated(from address: String, at now: Timestamp, newest: SigningKeyRecord) -> Bool {
        state.withLock { state in
            guard state.newest == newest.id, state.fetches.count < Self.capacity,
                state.clients[address].map({ state.known.isSuperset(of: $0) }) ?? true
            else { return false }
            state.fetches[address] = now
            return true
        }
    }

    /// Notes that an application has authenticated.
    ///
    /// - Returns: whether it has the newest key, and was not known to have it.
    func authenticated(_ client: String, from address: String, newest: SigningKeyRecord) -> Bool {
        state.withLock { state in
            state.expect(newest)
            if state.clients.count >= Self.capacity || state.known.count >= Self.capacity {
                (state.clients, state.known) = ([:], [])
            }
            if state.clients[address, default: []].count < Self.capacity {
                state.clients[address, default: []].insert(client)
            }
            guard let fetch = state.fetches[address], fetch >= newest.createdAt else { return false }
            return state.known.insert(client).inserted
        }
    }
}
