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

    /// Removes the second factors. Returns false if there is none.
    package func removeFactors(_ token: Secret) async throws(CallError) -> Bool {
        do throws(CallError) {
            _ = try await ask(.delete, "/api/v1/factors", token: token)
            return true
        } catch {
            guard case .fault(.answer(status: 404)) = error else { throw error }
            return false
        }
    }
}
