/// An account as a list of people shows it.
public struct PersonSummary: Sendable {
    /// The account.
    public let account: Account
    /// Its groups, in order.
    public let groups: [GroupName]
    /// Whether it has a confirmed authenticator app.
    public let hasAuthenticator: Bool
    /// Whether it has a passkey.
    public let hasPasskey: Bool
    /// Whether its next login must wait because of failures.
    public let isLocked: Bool
}

/// One page of the list of people.
public struct PeoplePage: Sendable {
    /// The selected people, ordered by their login names.
    public let people: [PersonSummary]
    /// The name after which the next page begins; nil on the last page.
    public let next: LoginName?
    /// Whether the search stopped before it had looked at every account.
    public let stoppedEarly: Bool
}

extension AccountService {
    /// The number of accounts that one page looks at, so that a search never reads a whole store.
    public static let peopleScan = 5000

    /// The number of accounts to read in one transaction. A search reads all that it finds at once.
    private static func peopleChunk(_ filter: AccountFilter) -> Int { filter.isBeginning ? peopleScan : 1000 }

    /// A page of the accounts that a filter selects, with what a list of people shows about each.
    ///
    /// - Parameters:
    ///   - name: the login name at the end of the previous page; nil for the first page.
    ///   - count: the number of people on the page.
    ///   - filter: the condition that they meet.
    public func people(
        matching filter: AccountFilter, after name: LoginName?, count: Int
    ) async throws(AccountError) -> PeoplePage {
        let selectsAll = filter.state == nil && filter.group == nil && !filter.hasNoFactor
        var (found, place, looked): ([PersonSummary], LoginName?, Int) = ([], name, 0)
        while true {
            let chunk = selectsAll ? count + 1 : Self.peopleChunk(filter)
            let (page, people) = try await store.read { [self, place] (transaction) throws(AccountError) in
                let page = try self.page(of: filter, after: place, lookingAt: chunk, in: transaction)
                var people: [PersonSummary] = []
                for account in page.accounts {
                    guard let person = try summary(of: account, onlyLocked: filter.state == .locked, in: transaction)
                    else {
                        continue
                    }
                    people.append(person)
                }
                return (page, people)
            }
            found += people
            looked += chunk
            if found.count > count {
                let shown = Array(found.prefix(count))
                return PeoplePage(
                    people: shown, next: shown.last?.account.loginName, stoppedEarly: page.isIncomplete)
            }
            guard let last = page.last else {
                return PeoplePage(people: found, next: nil, stoppedEarly: page.isIncomplete)
            }
            guard looked < Self.peopleScan else { return PeoplePage(people: found, next: last, stoppedEarly: true) }
            place = last
        }
    }

    /// Nil for an account that is not locked, if only locked ones are wanted.
    private func summary(
        of account: Account, onlyLocked: Bool, in transaction: any StoreTransaction
    ) throws(AccountError) -> PersonSummary? {
        let isLocked = try isLocked(account, in: transaction)
        guard isLocked || !onlyLocked else { return nil }
        return PersonSummary(
            account: account, groups: try transaction.groups(of: account.id),
            hasAuthenticator: try transaction.authenticator(of: account.id)?.isConfirmed == true,
            hasPasskey: try !passkeys(of: account.id, in: transaction).isEmpty, isLocked: isLocked)
    }
}
