import LatchkeyForms

/// The name that somebody gave to say who they are, in the form in which it is looked up and counted.
struct ClaimedName: Sendable {
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
