/// Which hashes a store has, and how many of each.
public struct HashReport: Sendable {
    public enum State: String, Sendable {
        /// As new hashes are.
        case current
        /// Renewed when its owner logs in.
        case outdated
        /// Dearer than new hashes are.
        case stronger
        /// Over the caps: its owner cannot log in.
        case tooCostly = "too_costly"
        /// Of no scheme that is known, or sealed and not what was sealed: its owner cannot log in.
        case refused
        /// Sealed with a key that is not there: its owner cannot log in.
        case keyMissing = "key_missing"
    }

    public struct Entry: Sendable {
        /// `unknown` where it cannot be told.
        public let scheme: String
        public let parameters: String
        /// That it is sealed with; nil where it is not.
        public let key: SealingKeyID?
        public let state: State
        public let count: Int
    }

    /// The most frequent first.
    public let entries: [Entry]
}

extension AccountService {
    /// Counts the stored hashes by scheme, parameters and key. Reads all of them, a page at a time.
    public func hashReport() async throws(AccountError) -> HashReport {
        struct Kind: Hashable {
            var scheme = "unknown"
            var parameters = ""
            let key: SealingKeyID?
            var state: HashReport.State
        }
        var counts: [Kind: Int] = [:]
        var last: AccountID?
        while true {
            let rows = try await store.read { [last] (transaction) throws(AccountError) in
                try transaction.hashes(notSealedWith: nil, after: last, limit: 512)
            }
            guard let end = rows.last else { break }
            last = end.account
            for row in rows {
                var kind = Kind(key: SealedHash(row.hash)?.key, state: .refused)
                switch opened(row.hash, of: row.account) {
                case .none, .refused: break
                case .keyMissing: kind.state = .keyMissing
                case .hash(let hash):
                    do throws(HashError) {
                        let traits = try hasher.examine(hash)
                        (kind.scheme, kind.parameters) = (traits.scheme, traits.parameterText)
                        kind.state =
                            switch traits.status {
                            case .current: .current
                            case .otherScheme, .otherParameters: .outdated
                            case .stronger: .stronger
                            }
                    } catch {
                        if error == .costTooHigh { kind.state = .tooCostly }
                    }
                }
                counts[kind, default: 0] += 1
            }
        }
        let entries = counts.map { kind, count in
            HashReport.Entry(
                scheme: kind.scheme, parameters: kind.parameters, key: kind.key, state: kind.state, count: count)
        }
        func order(_ entry: HashReport.Entry) -> (Int, String, String, String, String) {
            (-entry.count, entry.scheme, entry.parameters, entry.key?.text ?? "", entry.state.rawValue)
        }
        return HashReport(entries: entries.sorted { order($0) < order($1) })
    }
}
