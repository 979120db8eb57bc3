package import LatchkeySecrets
import LatchkeySystem

/// A row that gives the holder of a token or a key the power of an account or of an operator.
///
/// Its tag, an HMAC under the store's key, covers the fields that decide on that power. A thief of the database can
/// neither plant such a row nor move one to another account, because the key is not in the database.
package protocol TaggedRow: Sendable {
    /// The kind of row.
    static var kind: RowKind { get }
    /// The account of the row; nil for a row of no account.
    var owner: AccountID? { get }
    /// The fields that the tag covers.
    var fields: RowFields { get }
    /// The tag; empty if the row has none.
    var tag: [UInt8] { get set }
    /// The length of the tag in bytes.
    static var tagByteCount: Int { get }
}

extension TaggedRow {
    package static var tagByteCount: Int { 32 }
}

/// The kinds of tagged rows. A tag for one kind is useless for another. The names are part of the tags and of the audit
/// trail, and never change.
package enum RowKind: String, Sendable, CaseIterable {
    case session
    case device
    case operatorToken = "operator_token"
    case pendingLogin = "pending_login"
    case passkey, client
    case signingKey = "signing_key"
    case accessGrant = "access_grant"
    case grantToken = "grant_token"
    case deviceRequest = "device_request"
}

/// Fields in an encoding that gives two different lists different bytes: each has its length in front.
package struct RowFields: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() { bytes.reserveCapacity(256) }

    /// Appends bytes; nil differs from every value.
    package mutating func append(_ field: [UInt8]?) {
        guard let field else { return appendBigEndian(UInt32.max) }
        appendBigEndian(UInt32(truncatingIfNeeded: field.count))
        bytes += field
    }

    package mutating func append(_ text: String) {
        appendBigEndian(UInt32(truncatingIfNeeded: text.utf8.count))
        bytes += text.utf8
    }

    package mutating func append(_ number: Int64?) {
        guard let number else { return appendBigEndian(UInt32.max) }
        appendBigEndian(8 as UInt32)
        appendBigEndian(UInt64(bitPattern: number))
    }

    package mutating func append(_ time: Timestamp?) { append(time?.milliseconds) }

    private mutating func appendBigEndian<Number: FixedWidthInteger>(_ number: Number) {
        var shift = Number.bitWidth
        while shift > 0 {
            shift -= 8
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}

extension StoreKey {
    /// A copy of a row with the tag for its fields.
    package func tagged<Row: TaggedRow>(_ row: Row) -> Row {
        var row = row
        row.tag = tag(of: row)
        return row
    }

    /// Whether a holder of this key has tagged the row as it is.
    package func hasTagged(_ row: some TaggedRow) -> Bool { ConstantTime.areEqual(row.tag.span, tag(of: row).span) }

    private func tag<Row: TaggedRow>(of row: Row) -> [UInt8] {
        var kind = RowFields()
        kind.append(Row.kind.rawValue)
        return Array(tag(ofRow: row.fields.bytes, after: kind.bytes).prefix(Row.tagByteCount))
    }
}

/// Rows without the right tag that a process has read and not yet recorded.
final class RefusedRows: Sendable {
    struct Row: Hashable {
        let kind: RowKind
        let owner: AccountID?
    }

    private let rows = Locked<Set<Row>>([])

    func add(_ row: Row) { rows.withLock { _ = $0.insert(row) } }

    func take() -> Set<Row> {
        rows.withLock { rows in
            defer { if !rows.isEmpty { rows = [] } }
            return rows
        }
    }
}

extension AccountService {
    /// A row that the store's key has tagged; nil for any other row, which counts as missing and is recorded once the
    /// transaction has ended.
    func verified<Row: TaggedRow>(_ row: Row?) -> Row? {
        guard let row else { return nil }
        guard !key.hasTagged(row) else { return row }
        refusedRows.add(RefusedRows.Row(kind: Row.kind, owner: row.owner))
        return nil
    }

    /// The passkeys of an account.
    ///
    /// One without the right tag opens nothing, but it counts as a factor: otherwise, changing the row would leave an
    /// account with its password alone.
    func passkeys(of account: AccountID, in transaction: any PasskeyRows) throws(AccountError) -> [Passkey] {
        let passkeys = try transaction.passkeys(of: account)
        for passkey in passkeys { _ = verified(passkey) }
        return passkeys
    }

    /// The digest with which the store identifies a session; nil if the token is malformed.
    package func digest(of token: Secret) -> SessionDigest? {
        SessionToken(token).map { SessionDigest(bytes: key.lookupKey(of: $0.digest)) }
    }

    /// Records the rows that ``verified(_:)`` has refused.
    func recordRefusedRows() async {
        let rows = refusedRows.take()
        guard !rows.isEmpty, let trail = try? newTrail(by: .owner) else { return }
        // The refusal counts, even if the disk is too full to record it.
        try? await ServiceStore(service: self).writeUnverified { [clock] (transaction) throws(AccountError) in
            for row in rows {
                try trail.append(
                    .rowRefused, about: row.owner, reason: .row(row.kind), at: clock.now(), in: transaction)
            }
        }
    }
}

// MARK: The rows

extension Session: TaggedRow {
    package static let kind = RowKind.session

    package var owner: AccountID? { account }

    package var fields: RowFields {
        var fields = RowFields()
        fields.append(digest.bytes)
        fields.append(account.bytes)
        fields.append(scope.rawValue)
        fields.append(Int64(methods.rawValue))
        for time in [createdAt, lastUsedAt, authenticatedAt] { fields.append(time) }
        if let sid { fields.append(sid) }
        return fields
    }
}

extension KnownDevice: TaggedRow {
    package static let kind = RowKind.device

    package var owner: AccountID? { account }

    /// Without the counters, which the throttles change.
    package var fields: RowFields {
        var fields = RowFields()
        fields.append(digest)
        fields.append(account.bytes)
        return fields
    }
}

extension OperatorToken: TaggedRow {
    package static let kind = RowKind.operatorToken

    package var owner: AccountID? { nil }

    package var fields: RowFields {
        var fields = RowFields()
        fields.append(digest)
        fields.append(id)
        fields.append(name)
        for scope in Scope.allCases where scopes.contains(scope) { fields.append(scope.rawValue) }
        fields.append(createdAt)
        fields.append(expiresAt)
        // At the end, so that a token without groups keeps the tag that it had before there were groups.
        for group in groups { fields.append(group.text) }
        return fields
    }
}

extension PendingLogin: TaggedRow {
    package static let kind = RowKind.pendingLogin

    package var owner: AccountID? { account }

    package var fields: RowFields {
        var fields = RowFields()
        fields.append(digest)
        fields.append(account.bytes)
        fields.append(network)
        fields.append(Int64(passwordGeneration))
        fields.append(createdAt)
        fields.append(expiresAt)
        switch purpose {
        case .login: break
        case .reauthentication(let session): fields.append(session.bytes)
        case .recovery(let tag, let password):
            fields.append(tag.bytes)
            fields.append(password.key?.text ?? "")
            fields.append(password.bytes)
        }
        return fields
    }
}

extension Passkey: TaggedRow {
    package static let kind = RowKind.passkey

    package var owner: AccountID? { account }

    package var fields: RowFields {
        var fields = RowFields()
        fields.append(credential.id)
        fields.append(account.bytes)
        fields.append(credential.publicKey)
        fields.append(Int64(credential.signCount))
        fields.append(credential.isBackupEligible ? 1 : 0)
        fields.append(createdAt)
        return fields
    }
}
