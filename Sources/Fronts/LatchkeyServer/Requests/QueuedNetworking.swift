import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking

/// The flows of one request. One that hashes a password takes a place in the queue first, and is refused before any work
/// if there is none.
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
        // A failed login waits for its response after the hash. It holds no one else up.
        return await local(service.leaving { place.leave() }).perform(call: call, with: credentials)
    }

    private func local(_ service: AccountService) -> LocalNetworking {
        LocalNetworking(service: service, sessionStore: tokens)
    }
}
