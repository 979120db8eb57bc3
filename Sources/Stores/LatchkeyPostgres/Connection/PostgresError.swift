import LatchkeyAccounts

/// A failure of the server or of the connection to it, or a value that Latchkey cannot have written.
enum PostgresError: Error, Equatable {
    /// The server refused a statement and returned this SQLSTATE.
    case server(SQLState)
    /// The connection was lost.
    case disconnected
    /// The server has not answered in time.
    case silent
    /// No connection could be made, for this reason.
    case unreachable(reason: String)
    /// The row has a value that Latchkey's statements cannot have written.
    case corrupt
    /// The system does not have enough memory.
    case outOfMemory
    /// The connection was lost during a commit, so its outcome is unknown.
    case outcomeUnknown
    /// Another process has taken over the lane of the transaction, which was therefore rolled back.
    case laneTaken
    /// The database is not a store that this version can open.
    case refused(StoreError)

    /// Whether the transaction can be retried: it has not committed, and the reason may be temporary.
    var mayRepeat: Bool { isConflict || isDisconnection || self == .laneTaken }

    /// Whether the server has rolled the transaction back because of a concurrent one.
    ///
    /// A violated unique index counts too: the transaction has looked for the value before, and saw no other one. So does
    /// a server that cannot remember what one more transaction reads (`max_pred_locks_per_transaction`).
    var isConflict: Bool {
        [.server(.serializationFailure), .server(.deadlock), .server(.uniqueViolation), .server(.outOfMemory)]
            .contains(self)
    }

    /// Whether the connection can no longer be used.
    var isDisconnection: Bool {
        switch self {
        case .disconnected, .unreachable, .silent: true
        case .server(let state): state.ofClass == "08" || SQLState.shutdowns.contains(state)
        case .corrupt, .outOfMemory, .outcomeUnknown, .laneTaken, .refused: false
        }
    }

    var accountError: AccountError { self == .missingReference ? .noSuchAccount : .store(storeError) }

    var storeError: StoreError {
        switch self {
        case .corrupt: .corrupt
        case .outOfMemory: .outOfMemory
        case .refused(let error): error
        case .outcomeUnknown: .outcomeUnknown
        case .disconnected: .unreachable(reason: "connection lost")
        case .silent: .unreachable(reason: "the server does not respond")
        case .unreachable(let reason): .unreachable(reason: reason)
        // The server is stopping or starting.
        case .server(let state) where SQLState.shutdowns.contains(state):
            .unreachable(reason: "the server is shutting down or starting")
        case .server(.serializationFailure), .server(.deadlock), .server(.lockNotAvailable), .laneTaken: .busy
        case .server(.tooManyConnections): .busy
        case .server(.diskFull): .full
        // A standby refuses to begin a write transaction.
        case .server(.readOnlyTransaction), .server(.notSupported): .readOnly
        case .server(.outOfMemory): .outOfMemory
        case .server(.dataCorrupted), .server(.indexCorrupted): .corrupt
        // The code that SQLite stores report for a violated constraint (SQLITE_CONSTRAINT).
        case .server(let state) where state.ofClass == "23": .failed(resultCode: 19)
        case .server(let state): .refused(state: state.text)
        }
    }
}

/// The server's five-character error code (PostgreSQL manual, appendix A).
struct SQLState: Equatable, Sendable {
    let text: String

    static let notSupported = SQLState(text: "0A000")
    static let divisionByZero = SQLState(text: "22012")
    static let invalidText = SQLState(text: "22P02")
    static let uniqueViolation = SQLState(text: "23505")
    static let readOnlyTransaction = SQLState(text: "25006")
    static let failedTransaction = SQLState(text: "25P02")
    static let serializationFailure = SQLState(text: "40001")
    static let deadlock = SQLState(text: "40P01")
    static let undefinedColumn = SQLState(text: "42703")
    static let duplicateObject = SQLState(text: "42710")
    static let undefinedTable = SQLState(text: "42P01")
    static let duplicateTable = SQLState(text: "42P07")
    static let diskFull = SQLState(text: "53100")
    static let outOfMemory = SQLState(text: "53200")
    static let tooManyConnections = SQLState(text: "53300")
    static let queryCanceled = SQLState(text: "57014")
    static let lockNotAvailable = SQLState(text: "55P03")
    static let dataCorrupted = SQLState(text: "XX001")
    static let indexCorrupted = SQLState(text: "XX002")
    /// The server is stopping, has crashed, or is starting.
    static let shutdowns = [SQLState(text: "57P01"), SQLState(text: "57P02"), SQLState(text: "57P03")]

    var ofClass: Substring { text.prefix(2) }
}
