import LatchkeyForms

/// One of the three names of an account. Made of what somebody typed, it is the shape that tells which is meant:
/// a username has no `@` and is never the shape of an id.
public enum AccountLookup: Sendable {
    case id(AccountID)
    case username(Username)
    case email(EmailAddress)

    /// The longest name, in bytes: a username's.
    package static let maximumBytes = 255

    /// Nil where `text` is none of the three, and so nobody's name.
    public init?(_ text: String) {
        if let id = AccountID(text) {
            self = .id(id)
        } else if text.utf8.contains(UInt8(ascii: "@")) {
            guard let email = try? EmailAddress(text, international: true) else { return nil }
            self = .email(email)
        } else {
            guard let username = try? Username(text) else { return nil }
            self = .username(username)
        }
    }
}
