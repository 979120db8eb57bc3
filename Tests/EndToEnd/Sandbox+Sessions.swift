import Foundation
import LatchkeyAccounts
import LatchkeySecrets
import Testing

extension Sandbox {
    /// Moves times of every session into the past and tags the sessions again, as if Latchkey had written them then.
    ///
    /// - Parameters:
    ///   - seconds: more than the five minutes during which the password counts as recent, unless a test says otherwise.
    ///   - columns: the times to move.
    func ageSessions(
        by seconds: Int64 = 301, _ columns: Set<String> = ["created_at", "authenticated_at"]
    ) throws {
        let bytes = try [UInt8](Data(contentsOf: data.appending(path: "keys/store.key")))
        let key = try #require(StoreKey(Secret(copying: bytes.span)))
        let rows = try sqlite(
            """
            SELECT lower(hex(digest)), lower(hex(id)), scope, methods, session.created_at, last_used_at,
                authenticated_at, lower(hex(sid)) FROM session JOIN account ON number = account
            """)
        for row in rows.split(separator: "\n") {
            let cells = row.split(separator: "|", omittingEmptySubsequences: false).map { String($0) }
            func time(_ column: String, _ cell: String) -> Timestamp? {
                Int64(cell).map {
                    Timestamp(milliseconds: $0).advanced(by: .seconds(columns.contains(column) ? -seconds : 0))
                }
            }
            let digest = try #require(Hexadecimal.bytes(of: cells[0]))
            let account = try #require(Hexadecimal.bytes(of: cells[1]))
            let session = key.tagged(
                Session(
                    digest: SessionDigest(bytes: digest),
                    account: try #require(AccountID(bytes: account)),
                    scope: cells[2] == "0" ? .full : .changePassword,
                    createdAt: try #require(time("created_at", cells[4])),
                    lastUsedAt: try #require(time("last_used_at", cells[5])),
                    authenticatedAt: time("authenticated_at", cells[6]),
                    methods: AuthenticationMethods(rawValue: try #require(UInt8(cells[3]))),
                    sid: Hexadecimal.bytes(of: cells[7])))
            _ = try sqlite(
                """
                UPDATE session SET created_at = \(session.createdAt.milliseconds),
                    last_used_at = \(session.lastUsedAt.milliseconds),
                    authenticated_at = \(session.authenticatedAt.map { "\($0.milliseconds)" } ?? "NULL"),
                    tag = x'\(Hexadecimal.text(of: session.tag))' WHERE digest = x'\(cells[0])'
                """)
        }
    }
}
