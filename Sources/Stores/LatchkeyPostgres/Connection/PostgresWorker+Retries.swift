import Glibc
import LatchkeyAccounts
import LatchkeySQL
import LatchkeySecrets
import LatchkeySystem

/// Transactions, which are repeated after a conflict or a lost connection.
extension PostgresWorker {
    /// The number of lost connections after which a transaction is given up.
    private static var mostLosses: UInt32 { 5 }
    /// The attempt from which on a transaction runs alone, so that it cannot fail again for the same reason.
    private static var firstAttemptAlone: UInt32 { 8 }

    /// The time that a repetition needs at least.
    private static var leastTime: Duration { .milliseconds(500) }

    /// Runs `body` in a transaction, and repeats it if that may help and the deadline is not over.
    func run<Result: Sendable>(
        _ kind: PostgresConnection.TransactionKind, until deadline: ContinuousClock.Instant,
        _ body: (any StoreTransaction) throws(AccountError) -> Result
    ) throws(AccountError) -> Result {
        self.deadline = deadline
        connection?.deadline = deadline
        var (losses, conflicts): (UInt32, UInt32) = (0, 0)
        // A transaction that runs alone needs no memory for what others read.
        var mustRunAlone = false
        while true {
            let isAlone =
                kind == .writing
                && (mustRunAlone || conflicts + 1 >= Self.firstAttemptAlone && retries.mayRunAlone())
            if isAlone { retries.countAlone() }
            var failure = Failure(.disconnected)
            do throws(Failure) {
                switch try attempt(isAlone ? .alone : kind, body) {
                case .committed(let result): return result
                case .unknown(let result): if try hasCommittedLastWrite() { return result }
                }
            } catch {
                failure = error
            }
            if connection?.isLost == true { connection = nil }
            guard failure.mayRepeat else { throw failure.error }
            guard .now < deadline else { throw failure.error }
            if failure.isConflict {
                conflicts += 1
                retries.countConflict()
                // Two sign-ups may have taken the same name. The second attempt sees it.
                if failure.cause == .server(.uniqueViolation), conflicts > 1 { throw failure.error }
                if failure.cause == .server(.outOfMemory) {
                    guard kind == .writing, !mustRunAlone else { throw failure.error }
                    mustRunAlone = true
                }
                waitAtRandom(before: conflicts)
                // Another run would end at the deadline without an answer, and leave open whether it was committed.
                guard .now + Self.leastTime < deadline else { throw failure.error }
            } else {
                losses += 1
                retries.countLoss()
                guard losses <= Self.mostLosses else { throw failure.error }
                wait(before: losses)
            }
        }
    }

    /// 10, 20, 40, 80, 160 ms, and so on.
    ///
    /// - Parameter repetition: counted from 1.
    private func wait(before repetition: UInt32) { _ = usleep(10_000 << (repetition - 1)) }

    /// Up to 1, 2, 4 … 64 ms. Transactions that have conflicted with each other wait for different times, because each
    /// worker has another random ID.
    private func waitAtRandom(before repetition: UInt32) {
        let share = UInt32(id[Int(repetition) % id.count])
        _ = usleep((1000 << min(repetition - 1, 6)) * share / 255)
    }

    /// Whether the server has committed a write although the connection was lost before its response.
    ///
    /// - Throws: ``PostgresError/outcomeUnknown`` if the server cannot be reached for about 10 s.
    private func hasCommittedLastWrite() throws(Failure) -> Bool {
        connection = nil
        // A sealer without a lane runs again, and sees what is left to seal.
        guard let lost = lane else { return false }
        guard let owner = try? RandomSource.system.bytes(16) else { throw Failure(.outcomeUnknown) }
        for repetition in 1...10 as ClosedRange<UInt32> where deadline.map({ .now < $0 }) ?? true {
            do throws(PostgresError) {
                guard let taken = try lost.takenOver(by: owner, on: connected()) else { break }
                lane = taken
                return taken.lastWrite > lost.lastWrite
            } catch {
                connection = nil
                wait(before: repetition)
            }
        }
        lane = nil
        throw Failure(.outcomeUnknown)
    }

    private func attempt<Result: Sendable>(
        _ kind: PostgresConnection.TransactionKind,
        _ body: (any StoreTransaction) throws(AccountError) -> Result
    ) throws(Failure) -> Outcome<Result> {
        let (connection, lane): (PostgresConnection, WriterLane?)
        do throws(PostgresError) {
            connection = try connected()
            lane = try self.lane(for: kind, on: connection)
            connection.lane = lane?.end
            connection.laneClock = nil
            try connection.begin(kind)
        } catch {
            throw Failure(error)
        }
        let transaction = PostgresTransaction(on: connection, mayWrite: kind != .reading)
        let result: Result
        var next: WriterLane?
        do throws(AccountError) {
            result = try body(transaction)
            try transaction.finish()
            // A body that continues after a failure must not commit half of its changes.
            if let failure = transaction.failure { throw .store(failure) }
            if let lane { next = try transaction.advance(lane) }
        } catch {
            try? connection.rollBack()
            guard let cause = transaction.engineFailure as? PostgresError else {
                throw Failure(refusal: error)
            }
            throw failure(cause, of: lane, on: connection, reportedAs: error)
        }
        do throws(PostgresError) {
            try connection.commit()
        } catch {
            if kind != .reading, error.isDisconnection { return .unknown(result) }
            try? connection.rollBack()
            throw failure(error, of: lane, on: connection, reportedAs: error.accountError)
        }
        if let next { self.lane = next }
        return .committed(result)
    }

    /// The lane that a transaction of this kind writes to; nil if it needs no lane.
    private func lane(
        for kind: PostgresConnection.TransactionKind, on connection: PostgresConnection
    ) throws(PostgresError) -> WriterLane? {
        guard kind == .writing || kind == .alone else { return nil }
        if let lane { return lane }
        // Takes the end of the last read transaction.
        try connection.rollBack()
        let new = try WriterLane.free(for: id, on: connection)
        lane = new
        return new
    }

    /// The failure of a transaction that was rolled back. Gives up a lane that another program has changed.
    private func failure(
        _ cause: PostgresError, of lane: WriterLane?, on connection: PostgresConnection,
        reportedAs error: AccountError
    ) -> Failure {
        guard cause == .server(.invalidText), let lane else { return Failure(cause, reportedAs: error) }
        self.lane = nil
        do throws(PostgresError) { return Failure(try lane.failure(on: connection)) } catch { return Failure(error) }
    }

    /// The outcome of a transaction whose body returned.
    private enum Outcome<Result> {
        case committed(Result)
        /// The connection was lost during the commit.
        case unknown(Result)
    }

    /// The reason why a transaction did not commit.
    private struct Failure: Error {
        let error: AccountError
        /// Nil if the body has refused.
        let cause: PostgresError?

        var mayRepeat: Bool { cause?.mayRepeat ?? false }
        var isConflict: Bool { cause?.isConflict ?? false }

        init(refusal: AccountError) { (error, cause) = (refusal, nil) }

        init(_ cause: PostgresError, reportedAs error: AccountError? = nil) {
            (self.error, self.cause) = (error ?? cause.accountError, cause)
        }
    }
}

/// The repetitions of all workers of a store.
final class PostgresRetries: Sendable {
    private let state = Locked<(activity: StoreActivity, nextAlone: ContinuousClock.Instant)>((StoreActivity(), .now))

    /// The repetitions since the store was opened.
    var activity: StoreActivity { state.withLock(\.activity) }

    func countConflict() { state.withLock { $0.activity.conflicts += 1 } }

    func countLoss() { state.withLock { $0.activity.lostConnections += 1 } }

    func countAlone() { state.withLock { $0.activity.exclusiveTransactions += 1 } }

    /// Whether a transaction may exclude all others now: at most ten times a second.
    func mayRunAlone() -> Bool {
        state.withLock { state in
            guard state.nextAlone <= .now else { return false }
            state.nextAlone = .now + .milliseconds(100)
            return true
        }
    }
}
