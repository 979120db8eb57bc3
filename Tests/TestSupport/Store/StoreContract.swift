public import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
public import Testing

/// The requirements of every `AccountStore`.
///
///     @Test(arguments: StoreContract.clauses)
///     func `the store fulfils the contract`(clause: StoreContract.Clause) async throws {
///         try await clause.check(in: MemoryAccountStore())
///     }
public enum StoreContract {
    /// One requirement, stated as a sentence.
    public struct Clause: Sendable, CustomTestStringConvertible {
        public let sentence: String
        let body: @Sendable (any AccountStore) async throws -> Void

        public var testDescription: String { sentence }

        /// - Parameter store: new and empty.
        public func check(in store: any AccountStore) async throws { try await body(store) }

        init(_ sentence: String, body: @escaping @Sendable (any AccountStore) async throws -> Void) {
            self.sentence = sentence
            self.body = body
        }
    }

    public static let clauses =
        accounts + names + hashes + sessions + recovery + codes + factors + appPasswords + passkeys + openID
        + transactions
        + groups + trails + clocks + counts

    /// An account with values that are easily damaged when they are stored.
    static func account(_ name: String, id: AccountID? = nil, email: String? = nil) throws -> Account {
        let address = email ?? name + "@Example.org"
        let id = try id ?? newID()
        var account = Account(
            id: id, username: Username(storedAs: name.uppercased(), prepared: name),
            email: EmailAddress(storedAs: address, folded: address.lowercased()),
            attributes: [
                "company": "Ünïcode & Söhne \u{1F980}", "empty": "", "quoted": "'; DROP TABLE account; --%_\\",
            ],
            createdAt: Timestamp(milliseconds: 1_767_225_600_123), mustChangePassword: false,
            passwordHash: PasswordHash(phc: "$argon2id$v=19$m=65536,t=3,p=1$c2FsdHNhbHRzYWx0$dGFn"))
        account.updatedAt = Timestamp(milliseconds: 1_767_225_600_456)
        return account
    }

    static func newID() throws -> AccountID { try AccountID(from: .system) }

    static func digest(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }

    static func time(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1000) }

    static func expectSame(_ left: Account?, _ right: Account, at place: SourceLocation = #_sourceLocation) {
        guard let left else {
            Issue.record("no account", sourceLocation: place)
            return
        }
        #expect(left.id == right.id, sourceLocation: place)
        #expect(
            left.username.map { Array($0.typed.utf8) } == right.username.map { Array($0.typed.utf8) },
            sourceLocation: place)
        #expect(Array(left.loginName.text.utf8) == Array(right.loginName.text.utf8), sourceLocation: place)
        #expect(Array(left.email.typed.utf8) == Array(right.email.typed.utf8), sourceLocation: place)
        #expect(Array(left.email.folded.utf8) == Array(right.email.folded.utf8), sourceLocation: place)
        #expect(left.attributes == right.attributes, sourceLocation: place)
        #expect(left.state == right.state, sourceLocation: place)
        #expect(left.createdAt == right.createdAt, sourceLocation: place)
        #expect(left.updatedAt == right.updatedAt, sourceLocation: place)
        #expect(left.mustChangePassword == right.mustChangePassword, sourceLocation: place)
        #expect(left.verifyBy == right.verifyBy, sourceLocation: place)
        #expect(left.passwordExpiresAt == right.passwordExpiresAt, sourceLocation: place)
        #expect(left.passwordHash?.phc == right.passwordHash?.phc, sourceLocation: place)
    }

    /// The error that `body` throws; nil if it succeeds.
    static func failure(_ body: () async throws -> Void) async -> AccountError? {
        do {
            try await body()
            return nil
        } catch let error as AccountError {
            return error
        } catch {
            Issue.record(error)
            return nil
        }
    }
}

extension AccountStore {
    /// A transaction whose body may use `#expect(try …)`, which erases the type of the error.
    func transact(_ body: @Sendable (any StoreTransaction) throws -> Void) async throws {
        try await write { (transaction) throws(AccountError) in
            do {
                try body(transaction)
            } catch let error as AccountError {
                throw error
            } catch {
                Issue.record(error)
            }
        }
    }

    /// Checks that a store refuses a row that belongs to no account. It may refuse only at the commit.
    func refusesStray(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Void
    ) async throws(AccountError) {
        await #expect(throws: AccountError.noSuchAccount) { try await write(body) }
    }

    func insert(_ account: Account) async throws(AccountError) {
        try await write { (transaction) throws(AccountError) in try transaction.insert(account) }
    }

    func account(_ id: AccountID) async throws(AccountError) -> Account? {
        try await read { (transaction) throws(AccountError) in try transaction.account(.id(id)) }
    }
}
