import LatchkeyForms

extension PasswordContext {
    /// What is known of an account's owner.
    init(_ account: Account) {
        self.init(username: account.username.typed, email: account.email.typed, attributes: account.attributes)
    }
}
