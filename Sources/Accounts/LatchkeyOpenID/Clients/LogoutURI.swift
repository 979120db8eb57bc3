/// A registered URI to which Latchkey posts logout tokens (OpenID Connect Back-Channel Logout 1.0, section 2.2). It
/// fetches no other URI.
package struct LogoutURI: Hashable, Sendable {
    /// The URI as registered. It is ASCII.
    package let text: String

    /// Checks a URI for registration. The rules are those of redirect URIs, without private-use schemes.
    ///
    /// - Parameter allowsHTTP: whether `http` to other machines is allowed.
    package init(_ text: String, allowsHTTP: Bool = false) throws(RedirectURIFailure) {
        let parts = try URIParts(text)
        guard parts.scheme == "https" || parts.scheme == "http" else { throw .notWeb }
        try parts.check(RedirectURI.Exceptions(allowsHTTP: allowsHTTP))
        self.text = text
    }
}
