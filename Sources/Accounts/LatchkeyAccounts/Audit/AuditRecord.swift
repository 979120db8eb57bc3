package import LatchkeyForms
import LatchkeySecrets

/// One record of the audit trail.
public struct AuditRecord: Equatable, Sendable {
    /// The number of the record, counted from 1 without gaps; 0 before the record has its place in the chain.
    public let sequence: Int64
    /// The time of the event.
    public let time: Timestamp
    /// The stored name of the event, either an ``AuditEvent`` or an event from a newer version.
    public let name: String
    /// The account that the record is about.
    public let account: AccountID?
    /// The actor that caused the event.
    public let actor: AuditActor
    /// A random ID that all records of one service call have in common.
    public let requestID: String
    /// The internal reason, which no response reveals; empty if there is none.
    public let reason: String
    /// The context in which the record was written; nil for the first record format.
    public let context: AuditContext?

    /// The event; nil if it comes from a newer version.
    public var event: AuditEvent? { AuditEvent(rawValue: name) }

    /// Creates a record.
    package init(
        sequence: Int64, time: Timestamp, name: String, account: AccountID?, actor: AuditActor, requestID: String,
        reason: String, context: AuditContext?
    ) {
        self.sequence = sequence
        self.time = time
        self.name = name
        self.account = account
        self.actor = actor
        self.requestID = requestID
        self.reason = reason
        self.context = context
    }
}

extension AuditRecord {
    /// The same record with its place in the chain.
    package func numbered(_ sequence: Int64) -> AuditRecord {
        AuditRecord(
            sequence: sequence, time: time, name: name, account: account, actor: actor, requestID: requestID,
            reason: reason, context: context)
    }

    /// A record of the same call and time with another event, about no account.
    func companion(_ event: AuditEvent, _ reason: AuditReason = .none) -> AuditRecord {
        AuditRecord(
            sequence: 0, time: time, name: event.rawValue, account: nil, actor: actor, requestID: requestID,
            reason: reason.text, context: context)
    }
}

/// A stored record with its hash. It may be unreadable if another program wrote it.
public struct AuditRow: Equatable, Sendable {
    /// The sequence number of the row.
    public let sequence: Int64
    /// Nil if the row cannot be read as a record.
    public let record: AuditRecord?
    /// 32 bytes, unless another program changed it.
    public let hash: [UInt8]

    /// Creates a readable row.
    package init(_ record: AuditRecord, hash: [UInt8]) {
        sequence = record.sequence
        self.record = record
        self.hash = hash
    }

    /// Creates a row that cannot be read as a record.
    package init(unreadable sequence: Int64, hash: [UInt8] = []) {
        self.sequence = sequence
        record = nil
        self.hash = hash
    }
}

extension AuditRow {
    /// The row as `audit list --json` prints it and administrators download it.
    package var json: JSONValue {
        func text(_ text: String?) -> JSONValue { text.map { $0.isEmpty ? .null : .string($0) } ?? .null }
        let number = ("sequence", JSONValue.integer(Int(sequence)))
        let hash = ("hash", JSONValue.string(Hexadecimal.text(of: hash)))
        guard let record else { return .object([number, ("unreadable", .bool(true)), hash]) }
        let context = record.context
        return .object([
            number, ("time", .string(record.time.rfc3339Milliseconds)), ("event", .string(record.name)),
            ("level", text(record.event?.level.rawValue)), ("account", text(record.account?.text)),
            ("actor", .string(record.actor.text)), ("actor_account", text(context?.actingAccount?.text)),
            ("uid", context.map { .integer(Int($0.processUser)) } ?? .null), ("source", text(context?.source)),
            ("request", .string(record.requestID)), ("reason", text(record.reason)),
            ("since_boot_ms", context.map { .integer(Int($0.sinceBoot)) } ?? .null), ("boot", text(context?.bootID)),
            ("version", text(context?.version)), hash,
        ])
    }
}

/// The end of the chain: number and hash of the newest record.
public struct AuditHead: Equatable, Sendable {
    /// The number of the newest record.
    public let sequence: Int64
    /// The hash of the newest record, 32 bytes.
    public let hash: [UInt8]

    /// Creates a head.
    package init(sequence: Int64, hash: [UInt8]) {
        self.sequence = sequence
        self.hash = hash
    }
}

/// The actor that caused an audit record.
public enum AuditActor: Hashable, Sendable {
    /// The owner of the account, or someone who claims to be the owner.
    case owner
    /// The operating system user of the process, as a user ID.
    case operatingSystemUser(UInt32)
    /// A program that uses the token with this ``OperatorToken/id``.
    case operatorToken(id: String)

    /// The application with this ``Client/id``.
    case client(id: String)
    /// An administrator of Latchkey, on a page of the service.
    case account(AccountID)

    /// Whether the actor is an operator: not the owner of the account, and not an application.
    public var isOperator: Bool {
        switch self {
        case .owner, .client: false
        case .operatingSystemUser, .operatorToken, .account: true
        }
    }

    /// The actor in encoded form: `owner`, `uid:1000`, `token:3f9a1c02`, `client:wiki` or `account:ID`.
    package var text: String {
        switch self {
        case .owner: "owner"
        case .operatingSystemUser(let number): "uid:\(number)"
        case .operatorToken(let id): "token:" + id
        case .client(let id): "client:" + id
        case .account(let id): "account:" + id.text
        }
    }
}
