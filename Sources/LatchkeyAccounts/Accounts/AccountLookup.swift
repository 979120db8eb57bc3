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

/// The name that somebody gave to say who they are, in the form in which it is looked up and counted.
struct LoginIdentifier: Sendable {
    /// Names nobody, where the text can be nobody's: the look-up is made all the same.
    let lookup: AccountLookup

    /// What failures are counted by where nobody has the name: all spellings of one name count together.
    let canonical: String

    /// - Parameter typed: nil where what was typed cannot be a text at all.
    init(_ typed: String?) {
        self.init(typed, as: AccountLookup.init)
    }

    /// Of an address alone.
    init(email typed: String?) {
        self.init(typed) { text in
            guard let email = try? EmailAddress(text, international: true) else { return nil }
            return .email(email)
        }
    }

    private init(_ typed: String?, as read: (String) -> AccountLookup?) {
        // Over-long ones share a row: nobody gets work done in proportion to what they send.
        let text = typed.flatMap { $0.utf8.count <= AccountLookup.maximumBytes ? $0 : nil } ?? ""
        let named = read(text)
        lookup = named ?? .username(Username(storedAs: "", prepared: ""))
        canonical =
            switch named {
            case .id(let id): id.text
            case .username(let username): username.prepared
            case .email(let email): email.folded
            case nil: text
            }
    }
}
