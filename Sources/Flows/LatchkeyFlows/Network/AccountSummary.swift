public import LatchkeyForms

/// The parts of an account that its owner may see.
///
/// ``id`` identifies the account, but equality compares every value.
public struct AccountSummary: Identifiable, Sendable {
    /// A UUID in lower case.
    public let id: String
    /// The username as its owner typed it; nil for an account with only an e-mail address.
    public let username: String?
    /// The e-mail address as its owner typed it.
    public let email: String
    /// The values of custom fields, by the key of the field.
    public let attributes: [String: FieldValue]
    /// The state: `active`, `disabled`, or `unverified` until the owner has verified the address.
    public let state: String
    /// The creation time in RFC 3339 format, UTC.
    public let createdAt: String
    /// The names of the account's groups, in order; nil if they were not read.
    public let groups: [String]?

    /// Creates a summary from its values. The defaults are for accounts of your program, which may have none of these.
    public init(
        id: String, username: String?, email: String = "", attributes: [String: FieldValue] = [:],
        state: String = "active", createdAt: String = "", groups: [String]? = nil
    ) {
        self.id = id
        self.username = username
        self.email = email
        self.attributes = attributes
        self.state = state
        self.createdAt = createdAt
        self.groups = groups
    }
}

extension AccountSummary {
    /// The name to display: the username, or the e-mail address if there is none.
    public var name: String { username ?? email }

    /// The values, by the key of the form field that asks for each.
    package var present: [FieldKey: FieldValue] {
        Dictionary(username: username, email: email, attributes: attributes)
    }
}

extension AccountSummary: Equatable {
    /// Compares bytes, because `String` treats two encodings of an accented letter as equal.
    public static func == (left: AccountSummary, right: AccountSummary) -> Bool {
        left.texts.elementsEqual(right.texts) { $0.utf8.elementsEqual($1.utf8) }
    }

    private var texts: [String] {
        let pairs = attributes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return [id, username ?? "", email, state, createdAt] + pairs.flatMap { [$0.key, $0.value.json.encoded] }
            + (groups.map { ["groups"] + $0 } ?? [])
    }
}

/// Failed logins since the owner's last visit.
public struct FailedLoginsSummary: Equatable, Sendable {
    /// The number of failed attempts.
    public let count: Int
    /// The time of the latest attempt in RFC 3339 format, UTC.
    public let lastAt: String

    /// Creates a summary from its values.
    public init(count: Int, lastAt: String) {
        self.count = count
        self.lastAt = lastAt
    }
}
