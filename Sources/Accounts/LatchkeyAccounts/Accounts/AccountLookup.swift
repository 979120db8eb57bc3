import LatchkeyForms

/// An ID, username or e-mail address that identifies an account.
///
/// The format determines the kind: a username never contains `@` and never looks like an ID.
public enum AccountLookup: Hashable, Sendable {
    /// By its ID.
    case id(AccountID)
    /// By its username.
    case username(Username)
    /// By its address.
    case email(EmailAddress)

    /// The maximum length of an identifier in bytes, which is that of a username.
    package static let maximumBytes = 255

    /// Nil if `text` is neither an ID, a username nor an e-mail address.
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

/// A typed login name, normalized for look-up and for the throttle.
struct LoginIdentifier: Sendable {
    /// The look-up key. An invalid identifier matches no account, but the service performs the look-up anyway.
    let lookup: AccountLookup

    /// The key of the throttle for unknown names. All spellings of a name share one throttle.
    let canonical: String

    /// The typed e-mail address. Any other identifier gives an empty address, which matches no account.
    var address: EmailAddress {
        guard case .email(let address) = lookup else { return EmailAddress(storedAs: "", folded: "") }
        return address
    }

    /// - Parameter typed: nil if the input was invalid.
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
        // All overlong names share one throttle, so that many different ones do not cause extra work.
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
