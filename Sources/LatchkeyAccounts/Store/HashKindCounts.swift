/// How many hashes of each kind a transaction has added to the table `hash_kind`, or taken from it.
///
/// An import writes thousands of hashes of one kind in one transaction, so that they are counted once, at its end.
package struct HashKindCounts {
    /// By the number of the kind.
    private var added: [Int64: Int64] = [:]
    /// The numbers of the kinds that have been looked up.
    private var numbers: [HashKind: Int64] = [:]
    /// Most hashes of an import are of the same kind as the one before.
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
    ) throws(Failure) -> (kind: Int64, rest: String) {
        let prefixCount = HashKind.prefixCount(of: hash.phc)
        let number = try number(ofKindOf: hash, prefixCount: prefixCount, find)
        return (number, String(hash.phc.utf8.dropFirst(prefixCount)) ?? "")
    }

    private mutating func number<Failure: Error>(
        ofKindOf hash: PasswordHash, prefixCount: Int, _ find: (HashKind) throws(Failure) -> Int64
    ) throws(Failure) -> Int64 {
        if let latest, latest.kind.matches(hash, prefixCount: prefixCount) { return latest.number }
        let kind = HashKind(of: hash, prefixCount: prefixCount)
        let number = if let known = numbers[kind] { known } else { try find(kind) }
        numbers[kind] = number
        latest = (kind, number)
        return number
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

    fileprivate init(of hash: PasswordHash, prefixCount: Int) {
        prefix = String(hash.phc.utf8.prefix(prefixCount)) ?? ""
        milliseconds = StoredRange.cost.clamped(hash.milliseconds)
    }

    /// How many bytes of `text` are the prefix.
    fileprivate static func prefixCount(of text: String) -> Int {
        let bytes = text.utf8Span.span
        return unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let last = unsafe bytes.lastIndex(of: UInt8(ascii: "$")),
                let start = unsafe bytes[..<last].lastIndex(of: UInt8(ascii: "$"))
            else { return 0 }
            return start + 1
        }
    }

    fileprivate func matches(_ hash: PasswordHash, prefixCount: Int) -> Bool {
        let (own, other) = (prefix.utf8Span.span, hash.phc.utf8Span.span)
        return own.count == prefixCount && milliseconds == StoredRange.cost.clamped(hash.milliseconds)
            && own.indices.allSatisfy { own[$0] == other[$0] }
    }
}
