/// The stored hashes, counted by kind.
public struct HashReport: Sendable {
    /// The outcome of a login with a hash of this kind.
    public enum State: String, Sendable {
        /// The hash has the current parameters.
        case current
        /// The next login rehashes the password.
        case outdated
        /// The hash is more expensive than new hashes.
        case stronger
        /// Its cost exceeds the limits, so the owner cannot log in.
        case tooCostly = "too_costly"
        /// The owner cannot log in, because the hash has an unknown scheme, was changed after sealing, or is bare in a
        /// store with sealed hashes.
        case refused
        /// The owner cannot log in, because the sealing key is missing.
        case keyMissing = "key_missing"
    }

    /// All hashes with the same scheme, parameters, key and state.
    public struct Entry: Sendable {
        /// The name of the scheme; `unknown` if it cannot be determined.
        public let scheme: String
        /// The parameters, such as `m=65536,t=3,p=1`; may be empty.
        public let parameters: String
        /// The key that seals the hashes; nil if they are bare.
        public let key: SealingKeyID?
        /// The outcome of a login with these hashes.
        public let state: State
        /// The number of hashes.
        public let count: Int
    }

    /// The most frequent kinds first.
    public let entries: [Entry]
}

extension AccountService {
    /// Counts the stored hashes by scheme, parameters and key. Reads all of them, one page at a time.
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
                case .none, .refused, .notSealed: break
                case .keyMissing: kind.state = .keyMissing
                case .hash(let hash):
                    do throws(HashError) {
                        let traits = try hasher.parse(hash).traits
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
