public import LatchkeyForms
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

/// What an operator has changed of an account.
public struct AccountUpdate: Sendable {
    /// As it is now.
    public let account: Account
    /// Which of the set-up form's fields are other than before, name and address first; empty where all was so already.
    public let fields: [FieldKey]

    init(from old: Account, to new: Account) {
        var fields: [FieldKey] = []
        if !Self.isSame(old.username.typed, new.username.typed) { fields.append(.username) }
        if !Self.isSame(old.email.typed, new.email.typed) { fields.append(.email) }
        for key in Set(old.attributes.keys).union(new.attributes.keys).sorted()
        where !Self.isSame(old.attributes[key], new.attributes[key]) {
            fields.append(FieldKey(rawValue: key))
        }
        account = fields.isEmpty ? old : new
        self.fields = fields
    }

    /// By their bytes: what Swift takes for one text may be written in two ways.
    private static func isSame(_ old: String?, _ new: String?) -> Bool {
        guard let old, let new else { return old == nil && new == nil }
        return old.utf8.elementsEqual(new.utf8)
    }
}
