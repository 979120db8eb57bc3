/// Reads CBOR in the canonical form of CTAP 2.1, section 8: RFC 8949, section 4.2.1, with at most four levels of
/// nesting. WebAuthn Level 3, section 2, requires this form from authenticators and clients. Types that WebAuthn never
/// uses are refused.
///
/// Each value has only one encoding in this form. A length is compared with the remaining bytes before it is used.
///
/// The keys of a map in an attestation may have any order, as Windows Hello and some password managers send them, because
/// Latchkey does not rely on attestations. No key may occur twice.
package struct CBORReader {
    /// The reason why the input was refused.
    package enum Failure: String, Error, Equatable, Sendable, CaseIterable {
        case tooLarge = "too_large"
        case tooDeep = "too_deep"
        case unexpectedEnd = "unexpected_end"
        /// There are bytes after the value.
        case afterEnd = "after_end"
        /// A length or a number is not in its shortest encoding.
        case notShortest = "not_shortest"
        case indefiniteLength = "indefinite_length"
        case integerOutOfRange = "integer_out_of_range"
        case notUTF8 = "not_utf8"
        case duplicateKey = "duplicate_key"
        case unsortedKeys = "unsorted_keys"
        /// A tag, a floating-point number, a simple value other than a boolean, or a key that is neither an integer nor
        /// a text string.
        case unsupported = "unsupported"
    }

    /// The maximum length of the input in bytes. The largest attestation statements have a few thousand.
    package static let maximumByteCount = 65_536
    /// The maximum nesting of arrays and maps.
    package static let maximumDepth = 4

    private let bytes: [UInt8]
    private let hasSortedKeys: Bool
    /// The offset of the next byte.
    package private(set) var offset: Int

    /// Starts reading `bytes` at `offset`, which must not be negative.
    ///
    /// - Parameter hasSortedKeys: whether the keys of each map must be in canonical order.
    package init(_ bytes: [UInt8], from offset: Int = 0, hasSortedKeys: Bool = true) throws(Failure) {
        guard bytes.count <= Self.maximumByteCount else { throw .tooLarge }
        self.bytes = bytes
        self.hasSortedKeys = hasSortedKeys
        self.offset = offset
    }

    /// Reads `bytes` as exactly one value.
    package static func value(of bytes: [UInt8], hasSortedKeys: Bool = true) throws(Failure) -> CBORValue {
        var reader = try CBORReader(bytes, hasSortedKeys: hasSortedKeys)
        let value = try reader.next()
        guard reader.offset == bytes.count else { throw .afterEnd }
        return value
    }

    /// Reads the next value and moves past it.
    package mutating func next() throws(Failure) -> CBORValue { try value(depth: 1) }

    private var remaining: Int { max(0, bytes.count - offset) }

    private mutating func value(depth: Int) throws(Failure) -> CBORValue {
        guard remaining > 0 else { throw .unexpectedEnd }
        let (major, detail) = (bytes[offset] >> 5, bytes[offset] & 31)
        offset += 1
        switch major {
        case 0: return .integer(try integer(detail))
        case 1: return .integer(-1 - (try integer(detail)))
        case 2: return .bytes(Array(try string(detail)))
        case 3:
            guard let text = String(validating: try string(detail), as: UTF8.self) else { throw .notUTF8 }
            return .text(text)
        case 4: return .array(try elements(detail, depth: depth))
        case 5: return .map(try entries(detail, depth: depth))
        case 7 where detail == 20: return .boolean(false)
        case 7 where detail == 21: return .boolean(true)
        default: throw .unsupported
        }
    }

    private mutating func elements(_ detail: UInt8, depth: Int) throws(Failure) -> [CBORValue] {
        let count = try count(detail, unit: 1)
        guard depth <= Self.maximumDepth else { throw .tooDeep }
        var elements: [CBORValue] = []
        for _ in 0..<count { elements.append(try value(depth: depth + 1)) }
        return elements
    }

    private mutating func entries(_ detail: UInt8, depth: Int) throws(Failure) -> [CBORValue.Entry] {
        let count = try count(detail, unit: 2)
        guard depth <= Self.maximumDepth else { throw .tooDeep }
        var entries: [CBORValue.Entry] = []
        var last: ArraySlice<UInt8> = []
        var known: Set<ArraySlice<UInt8>> = []
        for _ in 0..<count {
            let start = offset
            let key = try value(depth: depth + 1)
            switch key {
            case .integer, .text: break
            default: throw .unsupported
            }
            // The first key always passes, because an encoding is never empty.
            let encoded = bytes[start..<offset]
            guard hasSortedKeys ? last != encoded : known.insert(encoded).inserted else { throw .duplicateKey }
            guard !hasSortedKeys || last.lexicographicallyPrecedes(encoded) else { throw .unsortedKeys }
            last = encoded
            entries.append(CBORValue.Entry(key: key, value: try value(depth: depth + 1)))
        }
        return entries
    }

    private mutating func string(_ detail: UInt8) throws(Failure) -> ArraySlice<UInt8> {
        let count = try count(detail, unit: 1)
        defer { offset += count }
        return bytes[offset..<offset + count]
    }

    /// The number of bytes, elements or entries that follow, each of which takes at least `unit` bytes.
    private mutating func count(_ detail: UInt8, unit: Int) throws(Failure) -> Int {
        let count = try argument(detail)
        guard count <= UInt64(remaining / unit) else { throw .unexpectedEnd }
        return Int(count)
    }

    private mutating func integer(_ detail: UInt8) throws(Failure) -> Int64 {
        guard let number = Int64(exactly: try argument(detail)) else { throw .integerOutOfRange }
        return number
    }

    /// The number in the low bits of the first byte or in the 1, 2, 4 or 8 bytes that follow it (RFC 8949, section 3).
    private mutating func argument(_ detail: UInt8) throws(Failure) -> UInt64 {
        switch detail {
        case 0..<24: return UInt64(detail)
        case 24...27: break
        case 31: throw .indefiniteLength
        default: throw .unsupported
        }
        let size = 1 << Int(detail - 24)
        guard size <= remaining else { throw .unexpectedEnd }
        let number = bytes[offset..<offset + size].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        offset += size
        guard number >= (size == 1 ? 24 : 1 << UInt64(4 * size)) else { throw .notShortest }
        return number
    }
}
