package import LatchkeyAccounts
import LatchkeyForms
import LatchkeyOpenID

extension ClientSettings {
    /// The first setting that the rules of the provider refuse; nil if there is none.
    package var problem: Problem? {
        for (setting, uris) in [
            ("redirect_uris", redirectURIs), ("post_logout_redirect_uris", postLogoutRedirectURIs),
        ] {
            for uri in uris {
                do throws(RedirectURIFailure) { _ = try RedirectURI(uri, allowing: exceptions) } catch {
                    return Problem(setting: setting, value: uri, reason: error.rule)
                }
            }
        }
        if grants.contains(.code), redirectURIs.isEmpty, !introspectsAll {
            return Problem(setting: "redirect_uris", value: "", reason: "needs at least one address")
        }
        for scope in scopes where Scope(scope) == nil {
            return Problem(setting: "scopes", value: scope, reason: "must have visible ASCII characters only")
        }
        for group in groups where GroupName(group) == nil {
            return Problem(setting: "groups", value: group, reason: "must be the name of a group")
        }
        guard let claims else { return nil }
        do throws(ClaimMapping.Failure) {
            _ = try ClaimMapping(claims)
            return nil
        } catch {
            switch error {
            case .malformed:
                return Problem(setting: "claims", value: "", reason: "must be an object of at most 32 claims")
            case .name(let name):
                return Problem(
                    setting: "claims", value: name,
                    reason: "must be another name, because Latchkey sets it or it is not valid")
            case .value(let name):
                return Problem(
                    setting: "claims", value: name,
                    reason: "must have the name of a claim, {\"group\": …} or {\"groups\": {…}}")
            }
        }
    }

    /// The redirect URIs that follow the rules: all of them, unless another program has written the row.
    var checkedRedirectURIs: [RedirectURI] {
        redirectURIs.compactMap { try? RedirectURI($0, allowing: exceptions) }
    }

    /// The same for logouts.
    var checkedLogoutURIs: [RedirectURI] {
        postLogoutRedirectURIs.compactMap { try? RedirectURI($0, allowing: exceptions) }
    }

    /// The claims under the names that the application expects.
    var mapping: ClaimMapping { claims.flatMap { try? ClaimMapping($0) } ?? .none }

    private var exceptions: RedirectURI.Exceptions {
        RedirectURI.Exceptions(allowsHTTP: allowsHTTP, schemes: Set(schemes.map { $0.lowercased() }))
    }
}
