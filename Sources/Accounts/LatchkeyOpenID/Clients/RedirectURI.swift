import LatchkeyForms
import LatchkeySecrets

/// A registered URI to which Latchkey may redirect a browser after a login or a logout.
package struct RedirectURI: Hashable, Sendable {
    /// The maximum length in bytes.
    package static let maximumByteCount = 2_048

    /// What an operator allows beyond `https`, `http` to this machine, and private-use schemes with a dot.
    package struct Exceptions: Equatable, Sendable {
        /// Whether `http` to other machines is allowed.
        package var allowsHTTP: Bool
        /// Private-use schemes without a dot, in lower case.
        package var schemes: Set<String>

        /// Creates the exceptions; by default, none.
        package init(allowsHTTP: Bool = false, schemes: Set<String> = []) {
            self.allowsHTTP = allowsHTTP
            self.schemes = schemes
        }
    }

    /// The URI as registered. It is ASCII.
    package let text: String

    /// Checks a URI for registration.
    package init(_ text: String, allowing exceptions: Exceptions = Exceptions()) throws(RedirectURIFailure) {
        let parts = try URIParts(text)
        try parts.check(exceptions)
        self.text = text
    }

    /// Whether a client may use `requested` in an authorization request.
    ///
    /// It must be the same, byte for byte. A URI that is registered with `http`, a loopback address and no port also
    /// matches with any port (RFC 8252, section 7.3).
    ///
    /// - Parameter isPublic: whether the client has no secret. Then the port also varies on `localhost`, as programs for
    ///   the desktop use it.
    package func matches(_ requested: String, isPublic: Bool) -> Bool {
        isIdentical(to: requested) || loopbackHosts(isPublic: isPublic).contains { matches(requested, on: $0) }
    }

    /// Whether `requested` is the same, byte for byte, as after a logout.
    package func isIdentical(to requested: String) -> Bool {
        // `String` would compare by canonical equivalence, in which the Kelvin sign is a K.
        text.utf8.elementsEqual(requested.utf8)
    }

    /// The origin of the pages at an `http` or `https` URI, as browsers send it: without a default port; nil for other
    /// schemes.
    package var origin: String? {
        guard let parts = try? URIParts(text), let authority = parts.authority else { return nil }
        let defaultPort = parts.scheme == "https" ? ":443" : ":80"
        guard parts.scheme == "https" || parts.scheme == "http" else { return nil }
        let host = authority.lowercased()
        return parts.scheme + "://" + (host.hasSuffix(defaultPort) ? String(host.dropLast(defaultPort.count)) : host)
    }

    /// Whether an operator may allow the scheme for one application: it is in lower case, and browsers neither open nor run
    /// its addresses.
    package static func isPrivateScheme(_ text: String) -> Bool {
        URIParts.isScheme(ArraySlice(text.utf8)) && !["http", "https"].contains(text) && !URIParts.isDangerous(text)
    }

    private func loopbackHosts(isPublic: Bool) -> [String] { ["127.0.0.1", "[::1]"] + (isPublic ? ["localhost"] : []) }

    /// Whether both URIs have this host, and differ only in that `requested` has a port.
    private func matches(_ requested: String, on host: String) -> Bool {
        let start = Array("http://\(host)".utf8)
        guard text.utf8.starts(with: start), requested.utf8.starts(with: start + [UInt8(ascii: ":")]) else {
            return false
        }
        // Otherwise it has a port, or its host only begins like this one.
        let registered = text.utf8.dropFirst(start.count)
        guard registered.isEmpty || registered.starts(with: "/".utf8) || registered.starts(with: "?".utf8) else {
            return false
        }
        let rest = requested.utf8.dropFirst(start.count + 1)
        let port = rest.prefix { $0.isASCIIDigit }
        return URIParts.isPort(port) && rest.dropFirst(port.count).elementsEqual(registered)
    }
}

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
