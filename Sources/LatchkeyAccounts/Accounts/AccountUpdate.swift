public import LatchkeyForms

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
