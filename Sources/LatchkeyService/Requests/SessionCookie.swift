import LatchkeyAccounts
import LatchkeyHTTP
import LatchkeySecrets

/// The cookie that holds a browser's token.
extension Call {
    /// Its name. Browsers accept the prefix only from `https`, for one host and for every path, so that no other host can
    /// set it (RFC 6265bis, section 4.1.3.2). On plain HTTP, which is for trials on one machine, it has none.
    var cookieName: String { site.configuration.origin.isSecure ? "__Host-latchkey" : "latchkey" }

    /// The token in the cookie; nil if there is none.
    var cookieToken: Secret? { request.headers.cookie(cookieName) }

    /// The header that stores a token in the browser: until the session ends, or under a policy that keeps no session on a
    /// disk until the browser is closed.
    func cookie(storing token: Secret) -> String {
        let value = token.withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
        let settings = site.service.settings
        let lifetime =
            settings.preset.keepsSessionsOnDisk ? "; Max-Age=\(settings.sessions.absolute.components.seconds)" : ""
        return cookieName + "=" + value + lifetime + cookieAttributes
    }

    /// The header that deletes the cookie.
    var cookieDeletion: String { cookieName + "=; Max-Age=0" + cookieAttributes }

    private var cookieAttributes: String {
        "; Path=/; HttpOnly; SameSite=Lax" + (site.configuration.origin.isSecure ? "; Secure" : "")
    }
}
