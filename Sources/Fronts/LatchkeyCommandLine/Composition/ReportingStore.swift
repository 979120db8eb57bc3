import LatchkeyAccounts
import LatchkeySystem

/// A store that reports the reasons of its failures to the operator. The clients of a service only see that it failed.
struct ReportingStore: AccountStore {
    /// The interval during which the same report is not repeated.
    private static let pause = Duration.seconds(10)

    private let store: any AccountStore
    private let location: StoreLocation
    private let context: CommandContext
    private let last = Locked<(sentence: String, time: ContinuousClock.Instant)?>(nil)

    /// - Parameter location: the location to show in reports.
    init(_ store: any AccountStore, at location: StoreLocation, _ context: CommandContext) {
        self.store = store
        self.location = location
        self.context = context
    }

    func write<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        do throws(AccountError) { return try await store.write(body) } catch { throw reported(error) }
    }

    func write<Result: Sendable>(
        about rows: [ExpectedRow], _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        do throws(AccountError) { return try await store.write(about: rows, body) } catch { throw reported(error) }
    }

    func seal<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        do throws(AccountError) { return try await store.seal(body) } catch { throw reported(error) }
    }

    var sealsAtOnce: Bool { store.sealsAtOnce }

    var activity: StoreActivity? { store.activity }

    func writeWithReserve<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        do throws(AccountError) { return try await store.writeWithReserve(body) } catch { throw reported(error) }
    }

    func read<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        do throws(AccountError) { return try await store.read(body) } catch { throw reported(error) }
    }

    private func reported(_ error: AccountError) -> AccountError {
        guard case .store = error else { return error }
        let sentence = ToolFailure(error, at: location).sentence(context.messages)
        let isNew = last.withLock { last in
            if let last, last.sentence == sentence, last.time.duration(to: .now) < Self.pause { return false }
            last = (sentence, .now)
            return true
        }
        if isNew { context.output.problem(sentence) }
        return error
    }
}
