import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking
import LatchkeySystem

/// Limits the number of requests that are waiting for a password hash.
///
/// A request takes a place before it reads or changes data, so that refusing it costs nothing. Without this limit, a
/// flood of logins would delay all users until their browsers give up, and each abandoned login would still cost a
/// hash.
package final class HashQueue: Sendable {
    /// The number of waiting requests, and the number of refused requests since the start.
    package struct Figures: Equatable, Sendable {
        package let waiting: Int
        package let refused: Int

        /// Creates figures.
        package init(waiting: Int, refused: Int) {
            self.waiting = waiting
            self.refused = refused
        }
    }

    private struct State {
        var places = 0
        var refused = 0
    }

    private let atOnce: Int
    private let waitingLimit: Int
    private let state = Locked(State())

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - atOnce: the number of hashes that are computed in parallel.
    ///   - waitingLimit: the maximum number of further requests that wait.
    package init(atOnce: Int = 1, waitingLimit: Int = 32) {
        self.atOnce = max(atOnce, 1)
        self.waitingLimit = max(waitingLimit, 0)
    }

    /// The current figures, for monitoring.
    package var figures: Figures {
        state.withLock { Figures(waiting: max($0.places - atOnce, 0), refused: $0.refused) }
    }

    /// Takes a place; nil if too many requests are waiting.
    func enter() -> Place? {
        let isFree = state.withLock { state in
            guard state.places < atOnce + waitingLimit else {
                state.refused += 1
                return false
            }
            state.places += 1
            return true
        }
        return isFree ? Place(in: self) : nil
    }

    /// The place of one request. It becomes free when the request leaves it or releases it.
    final class Place: Sendable {
        private let queue: HashQueue
        private let isTaken = Locked(true)

        fileprivate init(in queue: HashQueue) { self.queue = queue }

        deinit { leave() }

        /// Leaves the place, because the request needs no more hashes. Further calls have no effect.
        func leave() {
            let wasTaken = isTaken.withLock { isTaken in
                defer { isTaken = false }
                return isTaken
            }
            if wasTaken { queue.state.withLock { $0.places -= 1 } }
        }
    }
}

/// Runs the flows of one request. A flow that hashes a password takes a place in the queue first. If the queue is full,
/// the flow is refused before any work.
struct QueuedNetworking: Networking {
    let service: AccountService
    let tokens: any SessionStore
    let queue: HashQueue

    func perform(call: AccountType, with credentials: Credentials) async -> NetworkResponse {
        guard call.traits.hashing != .none else {
            return await local(service.leaving {}).perform(call: call, with: credentials)
        }
        guard let place = queue.enter() else { return .unavailable() }
        defer { place.leave() }
        // A failed login is delayed after its hash. The place is free by then, so the delay does not block other
        // requests.
        return await local(service.leaving { place.leave() }).perform(call: call, with: credentials)
    }

    private func local(_ service: AccountService) -> LocalNetworking {
        LocalNetworking(service: service, sessionStore: tokens)
    }
}
