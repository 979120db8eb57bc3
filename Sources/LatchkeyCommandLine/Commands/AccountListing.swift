import LatchkeyAccounts
import LatchkeyForms

/// `accounts list`: reads the accounts piece by piece, so that it takes no more memory than a piece does, and lets others
/// write between them.
struct AccountListing {
    let context: CommandContext

    /// How many accounts are looked at in one transaction.
    private static let pieceCount = 500

    func perform() async throws(ToolFailure) {
        let filter = try filter()
        var left = try context.invocation.number("limit", orElse: .max, in: 1...Int.max)
        var last = try start()
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        while left > 0 {
            // Of those that all are wanted, no more are read.
            let count = filter.isAll ? min(Self.pieceCount, left) : Self.pieceCount
            let page = try await installation.asking { (service) async throws(AccountError) in
                try await service.accounts(matching: filter, after: last, lookingAt: count)
            }
            for account in page.accounts.prefix(left) { try context.output.row(of: account) }
            guard let end = page.last else { return }
            last = end
            left -= min(left, page.accounts.count)
        }
    }

    private func filter() throws(ToolFailure) -> AccountFilter {
        var state: AccountFilter.State?
        if let given = context.invocation.value("state") {
            state = given.text.flatMap { AccountFilter.State(rawValue: $0) }
            guard state != nil else {
                let known = AccountFilter.State.allCases.map(\.rawValue).joined(separator: ", ")
                throw .unknownState(known: known)
            }
        }
        return AccountFilter(state: state, matching: try text("match"))
    }

    private func start() throws(ToolFailure) -> Username? { try text("after").map { Username(mapping: $0) } }

    private func text(_ flag: String) throws(ToolFailure) -> String? {
        guard let given = context.invocation.value(flag) else { return nil }
        guard let text = given.text else { throw .noText(flag: flag) }
        return text
    }
}
