/// The service that passkeys are for, as browsers and authenticators know it.
package struct RelyingParty: Equatable, Sendable {
    /// A domain: the host of the origin. Passkeys work for no other relying party.
    package let id: String
    /// The origins whose pages may use the passkeys.
    package let origins: [WebOrigin]

    /// Creates a relying party with several origins, all of whose hosts have to be `id` or end with a dot and it: browsers
    /// refuse others.
    package init(id: String, origins: [WebOrigin]) {
        self.id = id
        self.origins = origins
    }

    /// The relying party of one origin; nil where browsers have no passkeys: for an IP address, and without TLS, except on
    /// `localhost`.
    package init?(origin: WebOrigin) {
        let domain = String(origin.host.prefix { $0 != ":" })
        guard origin.isSecure || domain == "localhost", !domain.hasPrefix("["),
            // The last label of a domain is never a number (RFC 1123, section 2.1).
            let last = domain.split(separator: ".").last, last.contains(where: \.isLetter)
        else { return nil }
        self.init(id: domain, origins: [origin])
    }
}
