public import LatchkeySecrets

/// What the owner of an account wants to be kept of them: nothing in it is checked yet.
public struct ProfileDraft: Sendable {
    /// Nil leaves it as it is; so in the others.
    public var username: String?
    public var email: String?
    /// By the fields' `apiKey`; an empty text removes what is kept.
    public var attributes: [String: String]
    /// The one that was sent to a new address.
    public var code: Secret?

    public init(
        username: String? = nil, email: String? = nil, attributes: [String: String] = [:], code: Secret? = nil
    ) {
        self.username = username
        self.email = email
        self.attributes = attributes
        self.code = code
    }
}

/// What has become of a draft.
public enum ProfileChange: Sendable {
    case done(Account)
    /// All but the address, which is changed when the code comes back that was sent to it.
    case codeSent(Account)
}
