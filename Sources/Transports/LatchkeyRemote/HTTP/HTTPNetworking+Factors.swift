import LatchkeyFlows
import LatchkeyForms
package import LatchkeyNetworking
package import LatchkeySecrets

/// The second factors of the account of a token.
extension HTTPNetworking {
    /// The second factors.
    package func factors(_ token: Secret) async throws(CallError) -> FactorSummary {
        guard let factors = FactorSummary(json: try await ask(.get, "/api/v1/factors", token: token)) else {
            throw unknown()
        }
        return factors
    }

    /// Replaces the saved codes, and returns the new ones; nil if there is no second factor.
    package func replaceSavedCodes(_ token: Secret) async throws(CallError) -> [Secret]? {
        let response: HTTPTransfer.Response
        do throws(TransferFailure) {
            response = try await send(.post, "/api/v1/factors/saved-codes", token: token, body: nil).get()
        } catch {
            throw .fault(.transfer(error))
        }
        if response.status == 404 { return nil }
        let answer = response.body.withBytes { FlowAnswer($0, status: response.status, to: .profile) }
        guard Self.types.contains(response.type), let answer else { throw .fault(.answer(status: response.status)) }
        guard answer.response.outcome == .success else { throw .refused(answer.response) }
        guard case .savedCodes(let codes)? = answer.response.disclosure else { throw unknown() }
        return codes
    }

    /// Removes the authenticator app. Returns false if there is none.
    package func removeFactors(_ token: Secret) async throws(CallError) -> Bool {
        try await remove("/api/v1/factors", token)
    }

    /// Removes a passkey. Returns false if there is none with this id.
    package func removePasskey(_ id: String, _ token: Secret) async throws(CallError) -> Bool {
        // No passkey has another id, and no other text may stand in a path.
        guard 1...64 ~= id.utf8.count, id.utf8.allSatisfy({ Self.isHexadecimal($0) }) else { return false }
        return try await remove("/api/v1/factors/passkeys/" + id, token)
    }

    private func remove(_ path: String, _ token: Secret) async throws(CallError) -> Bool {
        do throws(CallError) {
            _ = try await ask(.delete, path, token: token)
            return true
        } catch {
            guard case .fault(.answer(status: 404)) = error else { throw error }
            return false
        }
    }
}
