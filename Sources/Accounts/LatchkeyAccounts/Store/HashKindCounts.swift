import LatchkeyText

/// How many hashes of each kind a transaction has added to the table `hash_kind`, or taken from it.
///
/// An import writes thousands of hashes of one kind in one transaction, so that they are counted once, at its end.
package struct HashKindCounts {
    /// By the number of the kind.
    private var added: [Int64: Int64] = [:]
    /// The numbers of the kinds that have been looked up.
    private var numbers: [HashKind: Int64] = [:]
    private var latest: (kind: HashKind, number: Int64)?

    /// Creates counts of nothing.
    package init() {}

    /// Counts `count` hashes more of the kind with this number; nothing for nil.
    package mutating func add(_ count: Int64, to kind: Int64?) {
        if let kind { added[kind, default: 0] += count }
    }

    /// The number of the kind that `hash` begins with.
    ///
    /// - Parameter find: looks up a kind in the database, which adds it if it is new.
    /// - Returns: the number, and the rest of the hash after the kind's prefix.
    package mutating func number<Failure: Error>(
        ofKindOf hash: PasswordHash, _ find: (HashKind) throws(Failure) -> Int64
    ) throws(Failure) -> (kind: Int64, rest: Substring) {
        if let latest, latest.kind.isKind(of: hash) {
            return (latest.number, latest.kind.rest(of: hash))
        }
        let kind = HashKind(of: hash)
        let number = if let known = numbers[kind] { known } else { try find(kind) }
        numbers[kind] = number
        latest = (kind, number)
        return (number, kind.rest(of: hash))
    }

    /// Returns the counts and forgets them.
    package mutating func takeAll() -> [Int64: Int64] {
        defer { added = [:] }
        return added
    }
}

/// What many stored hashes have in common: their start and their cost.
package struct HashKind: Hashable, Sendable {
    /// Up to the second-last `$`: the scheme and its parameters without salt and tag, or the mark and the key of a sealed
    /// hash. ASCII.
    package let prefix: String
    /// What a hash of this kind costs.
    package let milliseconds: Int

    fileprivate init(of hash: PasswordHash) {
        let text = hash.phc.utf8
        let dollar = UInt8(ascii: "$")
        let end = text.lastIndex(of: dollar).flatMap { text[..<$0].lastIndex(of: dollar) }
        prefix = end.map { String(Substring(text[...$0])) } ?? ""
        milliseconds = StoredRange.cost.clamped(hash.milliseconds)
    }

    /// Whether this kind has a prefix and `hash` is of it. Most hashes of an import are of one kind.
    fileprivate func isKind(of hash: PasswordHash) -> Bool {
        let (start, text) = (prefix.utf8Span.span, hash.phc.utf8Span.span)
        guard !start.isEmpty, milliseconds == StoredRange.cost.clamped(hash.milliseconds), text.starts(with: start),
            let dollar = text.firstIndex(of: UInt8(ascii: "$"), from: start.count)
        else { return false }
        return text.firstIndex(of: UInt8(ascii: "$"), from: dollar + 1) == nil
    }

    /// What follows the prefix in a hash of this kind.
    fileprivate func rest(of hash: PasswordHash) -> Substring {
        Substring(hash.phc.utf8.dropFirst(prefix.utf8.count))
    }
}
