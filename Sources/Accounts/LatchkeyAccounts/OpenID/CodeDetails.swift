import LatchkeyForms

/// What the exchange of a code must agree with, as the store contains it.
struct CodeDetails {
    let redirectURI: String
    let challenge: String?
    let nonce: String?

    init(_ request: CodeRequest) {
        (redirectURI, challenge, nonce) = (request.redirectURI, request.challenge, request.nonce)
    }

    /// Nil for a text that ``text`` cannot have.
    init?(_ text: String) {
        guard let json = JSONValue(line: text.utf8), let redirectURI = json["redirect_uri"]?.string else { return nil }
        self.redirectURI = redirectURI
        challenge = json["code_challenge"]?.string
        nonce = json["nonce"]?.string
    }

    var text: String {
        let members = [("redirect_uri", redirectURI), ("code_challenge", challenge), ("nonce", nonce)]
        return JSONValue.object(
            members.compactMap { key, value in value.map { (key: key, value: .string($0)) } }
        ).encoded
    }
}
