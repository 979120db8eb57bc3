import Foundation

/// Lets two clients take turns: one runs some statements or transactions, and then the other one.
///
/// A client that waits for a lock of the other one would wait forever. After a short time, both therefore run freely.
final class Turns: @unchecked Sendable {
    enum Unit { case statements, transactions }

    struct Turn {
        let client: Int
        /// The number of statements or transactions.
        let count: Int
    }

    private let condition = NSCondition()
    private var plan: [Turn]
    private var hasEnded = [false, false]
    private let unit: Unit
    private var statementCounts = [0, 0]
    private var transactionCounts = [0, 0]
    /// The time at which the current statement was sent; nil between statements.
    private var sentAt: ContinuousClock.Instant?
    private var isFree = false

    /// - Parameter plan: the turns. After the last one, both run freely.
    init(_ plan: [Turn], of unit: Unit) {
        self.plan = plan.filter { $0.count > 0 }
        self.unit = unit
    }

    /// The number of statements of each client.
    var statements: [Int] { condition.withLock { statementCounts } }
    /// The number of transactions of each client that have ended.
    var transactions: [Int] { condition.withLock { transactionCounts } }

    /// Blocks the thread until it is this client's turn.
    func pass(_ client: Int) {
        condition.withLock {
            statementCounts[client] += 1
            while !isFree, let turn = plan.first, turn.client != client, !hasEnded[turn.client] {
                _ = condition.wait(until: Date(timeIntervalSinceNow: 0.01))
                if let sentAt, .now - sentAt > Self.longest { isFree = true }
            }
            if !isFree, plan.first?.client == client { sentAt = .now }
        }
    }

    private static let longest = Duration.milliseconds(40)

    /// The client's statement has ended.
    func completed(_ sql: String, by client: Int) {
        let isEnd = sql == "COMMIT" || sql == "ROLLBACK"
        condition.withLock {
            if isEnd { transactionCounts[client] += 1 }
            guard !isFree, let turn = plan.first, turn.client == client else { return }
            sentAt = nil
            guard unit == .statements || isEnd else { return }
            plan[0] = Turn(client: client, count: turn.count - 1)
            if turn.count == 1 { plan.removeFirst() }
            condition.broadcast()
        }
    }

    /// The client has no more statements.
    func end(_ client: Int) {
        condition.withLock {
            hasEnded[client] = true
            if plan.first?.client == client { sentAt = nil }
            plan.removeAll { $0.client == client }
            condition.broadcast()
        }
    }
}
