import LatchkeyText

/// The changes that a transaction makes to the number of hashes of each kind in the table `hash_kind`.
///
/// An import writes thousands of hashes of one kind in one transaction. They are counted together at its end.
package struct HashKindCounts {
    /// The change of each count, by the number of the kind.
    private var added: [Int64: Int64] = [:]
    /// A cache of the numbers of kinds.
    private var numbers: [HashKind: Int64] = [:]
    private var latest: (kind: HashKind, number: Int64)?

    /// Creates empty counts.
    package init() {}

    /// Adds `count` hashes of the kind with this number. Does nothing if the number is nil.
    package mutating func add(_ count: Int64, to kind: Int64?) {
        if let kind { added[kind, default: 0] += count }
    }

    /// Finds the number of the kind of `hash`.
    ///
    /// - Parameter find: looks up a kind in the database and adds it if it is new.
    /// - Returns: the number, and the rest of the hash without the kind's prefix.
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

    /// Returns the counts and resets them.
    package mutating func takeAll() -> [Int64: Int64] {
        defer { added = [:] }
        return added
    }
}

/// The part that many stored hashes have in common: their prefix and their cost.
package struct HashKind: Hashable, Sendable {
    /// The hash up to its second-last `$`, in ASCII. It contains the scheme and its parameters without salt and tag, or
    /// the marker and key of a sealed hash.
    package let prefix: String
    /// The cost of a hash of this kind in milliseconds.
    package let milliseconds: Int

    fileprivate init(of hash: PasswordHash) {
        let text = hash.phc.utf8
        let dollar = UInt8(ascii: "$")
        let end = text.lastIndex(of: dollar).flatMap { text[..<$0].lastIndex(of: dollar) }
        prefix = end.map { String(Substring(text[...$0])) } ?? ""
        milliseconds = StoredRange.cost.clamped(hash.milliseconds)
    }

    /// Whether `hash` is of this kind. Most hashes of an import are of the same kind.
    fileprivate func isKind(of hash: PasswordHash) -> Bool {
        let (start, text) = (prefix.utf8Span.span, hash.phc.utf8Span.span)
        guard !start.isEmpty, milliseconds == StoredRange.cost.clamped(hash.milliseconds), text.starts(with: start),
            let dollar = text.firstIndex(of: UInt8(ascii: "$"), from: start.count)
        else { return false }
        return text.firstIndex(of: UInt8(ascii: "$"), from: dollar + 1) == nil
    }

    /// The rest of a hash of this kind, without the prefix.
    fileprivate func rest(of hash: PasswordHash) -> Substring {
        Substring(hash.phc.utf8.dropFirst(prefix.utf8.count))
    }
}
