extension ClientSetting {
    package static let name = ClientSetting.name(
        "name", \.name, .value("name", "TEXT"), title: "Name",
        "The name that people see, at most \(OperatorToken.maximumNameBytes) bytes", default: "the ID")

    package static let redirectURIs = list(
        "redirect_uris", \.redirectURIs, .value("redirect", "URL"), title: "Redirect URI",
        "Where a login returns to, as the application's documentation names it; can be repeated",
        details:
            "Compared byte for byte. `http` only for this machine: `http://127.0.0.1/…` without a port matches every"
            + " port")

    package static let postLogoutRedirectURIs = list(
        "post_logout_redirect_uris", \.postLogoutRedirectURIs, .value("logout-redirect", "URL"),
        title: "Logout redirect URI", "Where a logout returns to; can be repeated")

    package static let backchannelLogoutURI = text(
        "backchannel_logout_uri", \.backchannelLogoutURI, .value("backchannel-logout-uri", "URL"),
        title: "Logout notices", "Where Latchkey reports the end of a login",
        details: "See [logout](#logout)")

    package static let scopes = list(
        "scopes", \.scopes, .value("scope", "SCOPE", takesCommas: true), title: "Scopes",
        "What the application may ask for, such as groups or offline_access",
        details: "Also the scopes of [fields](#claims)")

    package static let grants = choices(
        "grants", \.grants, .value("grant", "GRANT", takesCommas: true), title: "Grants",
        "How the application gets tokens: \(ClientSettings.Grant.allCases.map(\.rawValue).joined(separator: ", "))",
        details: "`device` is for devices without a browser")

    package static let isPublic = flag(
        "public", \.isPublic, "public", title: "Public",
        "The application cannot keep a secret, like a program on its users' machines",
        details: "It must use PKCE, and people are always asked")

    package static let groups = list(
        "groups", \.groups, .value("group", "GROUP"), title: "Groups", "Only members of one of these groups may log in",
        default: "everyone")

    package static let consent = choice(
        "consent", \.consent, "consent", title: "Consent",
        "Ask people before the application learns about them, or skip that",
        details: "`skip` for an application of your own")

    package static let level = choice(
        "require", \.requirement, "require", title: "Required level",
        "aal2: only logins with a second factor or a passkey")

    package static let pkce = choice(
        "pkce", \.pkce, "pkce", title: "PKCE", "Whether requests need PKCE",
        details:
            "Without it, a login without PKCE is refused after ten with it; `applications unpin` counts from zero again",
        default: "after \(Client.pinningLogins) logins with it")

    package static let algorithm = choice(
        "algorithm", \.algorithm, "algorithm", title: "Algorithm", "The algorithm of ID tokens")

    package static let allowsHTTP = flag(
        "allow_http", \.allowsHTTP, "allow-http", title: "Plain HTTP",
        "Addresses of the application may have plain HTTP on other hosts than this machine")

    package static let schemes = list(
        "schemes", \.schemes, .value("scheme", "NAME"), title: "Private schemes",
        "A private scheme without a dot that redirect URIs may have", details: "Such as `myapp`")

    package static let claims = object(
        "claims", \.claims, title: "Claims", "Claims under the names that the application expects",
        details: "See [claims](#claims)")

    package static let idTokenClaims = list(
        "id_token_claims", \.idTokenClaims, nil, title: "ID token claims", "Claims that the ID token has too")

    package static let introspectsAll = flag(
        "introspect", \.introspectsAll, "introspect", title: "Introspection",
        "The application may introspect the tokens of all applications")

    /// All settings, in the order of files and documents.
    package static let all = [
        name, redirectURIs, postLogoutRedirectURIs, backchannelLogoutURI, scopes, grants, isPublic, groups, consent,
        level, pkce, algorithm, allowsHTTP, schemes, claims, idTokenClaims, introspectsAll,
    ]
}
