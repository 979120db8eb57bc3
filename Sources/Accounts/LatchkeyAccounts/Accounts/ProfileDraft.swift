public import LatchkeyForms
public import LatchkeySecrets

/// Unvalidated changes to an account by its owner.
public struct ProfileDraft: Sendable {
    /// The new username. For this and all other fields, nil means no change. An empty string removes the username.
    public var username: String?
    /// The new address. It takes effect after the owner confirms it with a code.
    public var email: String?
    /// The changed attributes by their fields' `apiKey`. An empty value removes an attribute.
    public var attributes: [String: FieldValue]
    /// The code that the service sent to the new address.
    public var code: Secret?

    /// Creates a draft that changes only the given fields.
    public init(
        username: String? = nil, email: String? = nil, attributes: [String: FieldValue] = [:], code: Secret? = nil
    ) {
        self.username = username
        self.email = email
        self.attributes = attributes
        self.code = code
    }
}

/// The result of a profile change.
public enum ProfileChange: Sendable {
    /// The profile is changed.
    case done(Account)
    /// All changes took effect except the address, which changes when its owner enters the code.
    case codeSent(Account)
}

/// An account before and after an operator's change.
public struct AccountUpdate: Sendable {
    /// The account after the change.
    public let account: Account
    /// The changed fields of the sign-up form, with username and address first; empty if nothing changed.
    public let fields: [FieldKey]

    package init(from old: Account, to new: Account) {
        var fields: [FieldKey] = []
        if !Self.isSame(old.username?.typed, new.username?.typed) { fields.append(.username) }
        if !Self.isSame(old.email.typed, new.email.typed) { fields.append(.email) }
        for key in Set(old.attributes.keys).union(new.attributes.keys).sorted()
        where old.attributes[key]?.json != new.attributes[key]?.json {
            fields.append(FieldKey(rawValue: key))
        }
        account = fields.isEmpty ? old : new
        self.fields = fields
    }

    /// Compares bytes, because Swift's `==` treats two spellings of one character as equal.
    private static func isSame(_ old: String?, _ new: String?) -> Bool {
        guard let old, let new else { return old == nil && new == nil }
        return old.utf8.elementsEqual(new.utf8)
    }
}
