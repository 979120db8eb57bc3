package import LatchkeyAccounts
import LatchkeyForms

/// A browser's description of a ceremony (WebAuthn Level 3, section 5.8.1). Unknown members are ignored, as that
/// section requires.
package struct ClientData: Equatable, Sendable {
    /// The maximum length of the JSON in bytes. Browsers send a few hundred bytes.
    package static let maximumByteCount = 8_192

    /// The ceremony: `webauthn.create` or `webauthn.get`.
    package let type: String
    /// The challenge, in base64url.
    package let challenge: String
    /// The origin of the page that requested the passkey.
    package let origin: String
    /// Whether that page was embedded in a page with another origin.
    package let isCrossOrigin: Bool

    /// Parses the JSON from a browser.
    ///
    /// - Throws: ``PasskeyFailure/malformedClientData``.
    package init(_ bytes: [UInt8]) throws(PasskeyFailure) {
        guard bytes.count <= Self.maximumByteCount, let node = try? JSONReader.read(bytes),
            case .object(let members) = node.content
        else { throw .malformedClientData }
        var texts: [String: String] = [:]
        var isCrossOrigin = false
        for member in members {
            switch (member.key, member.value.content) {
            case ("type", .string(let text)), ("challenge", .string(let text)), ("origin", .string(let text)):
                texts[member.key] = text
            // Browsers add `topOrigin` only if the origin of the outermost page differs.
            case ("topOrigin", .string): isCrossOrigin = true
            case ("crossOrigin", .bool(let value)): isCrossOrigin = isCrossOrigin || value
            // How some clients write that a member is absent.
            case ("topOrigin", .null), ("crossOrigin", .null): break
            case ("type", _), ("challenge", _), ("origin", _), ("topOrigin", _), ("crossOrigin", _):
                throw .malformedClientData
            default: break
            }
        }
        guard let type = texts["type"], let challenge = texts["challenge"], let origin = texts["origin"] else {
            throw .malformedClientData
        }
        (self.type, self.challenge, self.origin, self.isCrossOrigin) = (type, challenge, origin, isCrossOrigin)
    }
}
