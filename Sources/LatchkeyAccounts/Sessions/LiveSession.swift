/// A session that is neither ended nor too old, with whose it is.
public struct LiveSession: Sendable {
    public let account: Account
    public let session: Session

    package init(account: Account, session: Session) {
        self.account = account
        self.session = session
    }
}
