import LatchkeyForms

/// An ID, username or e-mail address that identifies an account.
///
/// The shape of the text decides which of them it is: a username has no `@` and never looks like an ID.
public enum AccountLookup: Sendable {
    case id(AccountID)
    case username(Username)
    case email(EmailAddress)

    /// The longest identifier, in bytes: a username.
    package static let maximumBytes = 255

    /// Nil if `text` is none of the three.
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

/// What someone typed to log in, normalized for look-up and for the throttle.
struct LoginIdentifier: Sendable {
    /// Matches no account if the text is not a valid identifier. The service looks it up all the same.
    let lookup: AccountLookup

    /// The key of the throttle for unknown names: all spellings of one name count together.
    let canonical: String

    /// - Parameter typed: nil if the input was not valid text.
    init(_ typed: String?) {
        self.init(typed, as: AccountLookup.init)
    }

    /// Accepts only an e-mail address.
    init(email typed: String?) {
        self.init(typed) { text in
            guard let email = try? EmailAddress(text, international: true) else { return nil }
            return .email(email)
        }
    }

    private init(_ typed: String?, as read: (String) -> AccountLookup?) {
        // All over-long names share one throttle, so that sending more does not make the service work harder.
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
