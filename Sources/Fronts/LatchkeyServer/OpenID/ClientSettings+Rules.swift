package import LatchkeyAccounts
package import LatchkeyForms
import LatchkeyOpenID

extension ClientSettings {
    /// The first setting that the rules of the provider refuse; nil if there is none.
    ///
    /// - Parameters:
    ///   - vocabulary: the scopes and claims that exist.
    ///   - keys: the settings that change. Only they must have existing scopes and claims, because a field may have been
    ///     removed since the others were set.
    package func problem(in vocabulary: ProviderVocabulary, changing keys: Set<String>) -> Problem? {
        if let problem = contradiction ?? addressProblem ?? nameProblem { return problem }
        if keys.contains(ClientSetting.scopes.key), let problem = scopeProblem(vocabulary) { return problem }
        let hasClaims = keys.contains(ClientSetting.claims.key) || keys.contains(ClientSetting.idTokenClaims.key)
        return hasClaims ? claimProblem(vocabulary) : nil
    }

    /// The groups in all settings. Each one may be created later.
    package var namedGroups: [String] {
        var names = groups
        for (_, source) in mapping.claims {
            switch source {
            case .claim: break
            case .group(let group): names.append(group)
            case .groups(let values): names += values.map(\.group)
            }
        }
        return names
    }

    /// The redirect URIs that follow the rules: all of them, unless another program has written the row.
    var checkedRedirectURIs: [RedirectURI] {
        redirectURIs.compactMap { try? RedirectURI($0, allowing: exceptions) }
    }

    /// The same for logouts.
    var checkedLogoutURIs: [RedirectURI] {
        postLogoutRedirectURIs.compactMap { try? RedirectURI($0, allowing: exceptions) }
    }

    /// The address for logout notices that follows the rules; nil for none.
    var checkedBackchannelLogoutURI: String? {
        backchannelLogoutURI.flatMap { try? LogoutURI($0, allowsHTTP: allowsHTTP) }?.text
    }

    /// The claims under the names that the application expects.
    var mapping: ClaimMapping { claims.flatMap { try? ClaimMapping($0) } ?? .none }

    private var exceptions: RedirectURI.Exceptions {
        RedirectURI.Exceptions(allowsHTTP: allowsHTTP, schemes: Set(schemes))
    }

    // MARK: Rules

    private var addressProblem: Problem? {
        for scheme in schemes where !RedirectURI.isPrivateScheme(scheme) {
            return Problem(.schemes, scheme, "must be a scheme in lower case that no other program interprets")
        }
        for (setting, uris) in [
            (ClientSetting.redirectURIs, redirectURIs), (.postLogoutRedirectURIs, postLogoutRedirectURIs),
        ] {
            for uri in uris {
                // A comma may be part of a URI, but a second scheme after it is a list.
                if uri.contains(",https://") || uri.contains(",http://") {
                    return Problem(setting, uri, "must be one address: give each address by itself")
                }
                do throws(RedirectURIFailure) { _ = try RedirectURI(uri, allowing: exceptions) } catch {
                    var problem = Problem(setting, uri, error.rule)
                    let scheme = String(uri.prefix { $0 != ":" })
                    if error == .notSecure { problem.remedy = Problem.Other(.allowsHTTP) }
                    if error == .scheme, RedirectURI.isPrivateScheme(scheme) {
                        problem.remedy = Problem.Other(.schemes, scheme)
                    }
                    return problem
                }
            }
        }
        if let uri = backchannelLogoutURI {
            do throws(RedirectURIFailure) { _ = try LogoutURI(uri, allowsHTTP: allowsHTTP) } catch {
                var problem = Problem(.backchannelLogoutURI, uri, error.rule)
                if error == .notSecure { problem.remedy = Problem.Other(.allowsHTTP) }
                return problem
            }
        }
        if grants.contains(.code), redirectURIs.isEmpty, !introspectsAll {
            return Problem(.redirectURIs, "", "needs at least one address")
        }
        return nil
    }

    private var nameProblem: Problem? {
        for scope in scopes where Scope(scope) == nil {
            return Problem(.scopes, scope, "must have visible ASCII characters only")
        }
        for group in groups where GroupName(group) == nil {
            return Problem(.groups, group, "must be the name of a group")
        }
        guard let claims else { return nil }
        do throws(ClaimMapping.Failure) { _ = try ClaimMapping(claims) } catch {
            return switch error {
            case .malformed:
                Problem(.claims, "", "must be an object of at most \(ClaimMapping.maximumCount) claims")
            case .name(let name):
                name.isEmpty
                    ? Problem(.claims, "", "must not have an empty name")
                    : Problem(.claims, name, "must be another name, because Latchkey sets it or it is not valid")
            case .value(let name):
                Problem(.claims, name, #"must have the name of a claim, {"group": …} or {"groups": {…}}"#)
            }
        }
        for group in namedGroups where GroupName(group) == nil {
            return Problem(.claims, group, "must be the name of a group")
        }
        return nil
    }

    private func scopeProblem(_ vocabulary: ProviderVocabulary) -> Problem? {
        let known = vocabulary.scopes.map(\.name)
        for scope in scopes where !known.contains(scope) {
            return Problem(.scopes, scope, "must be one of: \(known.joined(separator: ", ")), or the scope of a field")
        }
        return nil
    }

    private func claimProblem(_ vocabulary: ProviderVocabulary) -> Problem? {
        let known = vocabulary.claims.joined(separator: ", ")
        let mapping = mapping.claims
        for case (let name, .claim(let source)) in mapping where source != "sub" && !vocabulary.claims.contains(source)
        {
            return Problem(.claims, "\(name): \(source)", "must be one of: sub, \(known), or the claim of a field")
        }
        for claim in idTokenClaims
        where !vocabulary.claims.contains(claim) && !mapping.contains(where: { $0.name == claim }) {
            return Problem(.idTokenClaims, claim, "must be one of: \(known), the claim of a field, or a name in claims")
        }
        return nil
    }
}

/// The scopes and claims of the provider: its own, and those of form fields.
package struct ProviderVocabulary: Sendable {
    let scopes: [Scope]
    /// The claims of accounts, without those of tokens.
    let claims: [String]

    package init(_ forms: FormCatalogue) {
        let fields = forms.form(for: .setup).fields.compactMap(\.claim)
        scopes = Scopes(Scope.standard + fields.compactMap { Scope($0.scope) }).all
        claims = FieldClaim.ofAccounts.sorted() + fields.map(\.name)
    }
}
