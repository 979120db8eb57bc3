import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeySecrets

/// Latchkey's own cookies in the request of a browser. Requests of programs have none: the API ignores cookies.
///
/// A host of the same domain can set a cookie that comes before ours, and an old cookie with another path stays in the
/// browser. So a cookie that is not valid does not hide a valid one of the same name, and valid cookies of two accounts
/// are refused: their order must not decide who the visitor is.
struct RequestCookies: Sendable {
    /// The token of the session.
    private(set) var session: Secret?
    /// The token of a login that waits for its second factor.
    private(set) var pending: Secret?
    /// The token of the browser.
    private(set) var device: Secret?

    /// The number of different values of one name that are looked up.
    static let mostValues = 8

    /// The visitor has valid cookies of two accounts, or more cookies than are looked up.
    struct Ambiguous: Error {}

    /// No cookies.
    init() {}

    /// The valid cookies of a request.
    ///
    /// A cookie that has no other value in the request is not looked up here.
    init(of request: WebRequest) async throws(Ambiguous) {
        let service = request.service
        session = try await Self.one(of: request.http.headers.cookies(request.cookieName)) { token in
            try? await service.session(for: token).account.id
        }
        pending = try await Self.one(of: request.http.headers.cookies(request.pendingCookieName)) { token in
            try? await service.account(ofPending: token)
        }
        device = try await Self.one(of: request.http.headers.cookies(request.deviceCookieName)) { token in
            try? await service.on(.token(token)).accountOfDevice()
        }
    }

    /// - Parameter holder: the account of a valid value; nil for a value that is not valid.
    private static func one<Holder: Equatable>(
        of values: [Secret], _ holder: (Secret) async -> Holder?
    ) async throws(Ambiguous) -> Secret? {
        guard values.count > 1 else { return values.first }
        guard values.count <= mostValues else { throw Ambiguous() }
        var found: (value: Secret, holder: Holder)?
        for value in values {
            guard let holder = await holder(value) else { continue }
            if let found, found.holder != holder { throw Ambiguous() }
            found = found ?? (value, holder)
        }
        return found?.value ?? values.first
    }
}

extension WebRequest {
    /// The request with the credentials that its route reads.
    func carrying(_ carrier: Requirements.Carrier) async throws(Refusal) -> WebRequest {
        guard carrier == .cookie else { return self }
        var request = self
        do throws(RequestCookies.Ambiguous) { request.cookies = try await RequestCookies(of: self) } catch {
            throw Refusal(PageRequest(self).notice(400, "page.two_accounts"))
        }
        return request.chosenTexts.map(request.speaking) ?? request
    }

    /// The texts in the language that an application has asked for in this browser; nil if none has.
    private var chosenTexts: ServiceSite.Texts? {
        let values = http.headers.cookies(languageCookieName)
        return values.count == 1 ? values[0].textIfValid.flatMap { site.texts(preferred: [$0]) } : nil
    }

    // MARK: Names

    /// The name of the cookie with the token of a session. Browsers accept the prefix only from `https`, for one host
    /// and for every path, so that no other host can set it (RFC 6265bis, section 4.1.3.2). On plain HTTP, which is for
    /// trials on one machine, it has none.
    var cookieName: String { site.configuration.origin.isSecure ? "__Host-latchkey" : "latchkey" }

    /// The name of the cookie with the token of a login that waits for its second factor.
    var pendingCookieName: String { cookieName + "-pending" }

    /// The name of the cookie with the language that an application has asked for.
    var languageCookieName: String { cookieName + "-language" }

    /// The name of the cookie with the token of the browser for requests that wait in it.
    var requestCookieName: String { cookieName + "-request" }

    /// The name of the cookie with the name that the next login page suggests.
    var nameCookieName: String { cookieName + "-name" }

    /// The name of the cookie with the token of the browser.
    var deviceCookieName: String { cookieName + "-device" }
}
