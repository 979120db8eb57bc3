/// A CBOR value (RFC 8949) of the types that WebAuthn uses.
package indirect enum CBORValue: Equatable, Sendable {
    /// An integer of either sign.
    case integer(Int64)
    /// A byte string.
    case bytes([UInt8])
    /// A text string.
    case text(String)
    /// An array.
    case array([CBORValue])
    /// The entries of a map in the order of the input. No key occurs twice.
    case map([Entry])
    /// `true` or `false`.
    case boolean(Bool)

    /// An entry of a map.
    package struct Entry: Equatable, Sendable {
        /// An integer or a string.
        package let key: CBORValue
        /// The value under the key.
        package let value: CBORValue
    }

    /// The bytes of a byte string; nil for any other value.
    package var asBytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }

    /// The integer; nil for any other value.
    package var asInteger: Int64? { if case .integer(let number) = self { number } else { nil } }

    /// The values of a map whose keys are exactly `keys`; nil for any other value.
    package func values(at keys: [Int64]) -> [Int64: CBORValue]? {
        guard case .map(let entries) = self, entries.count == keys.count else { return nil }
        var values: [Int64: CBORValue] = [:]
        for entry in entries {
            guard case .integer(let key) = entry.key, keys.contains(key) else { return nil }
            values[key] = entry.value
        }
        return values
    }

    /// The value of a map under `key`; nil if the key is missing or this is not a map.
    package subscript(_ key: Int64) -> CBORValue? {
        guard case .map(let entries) = self else { return nil }
        return entries.first { $0.key.asInteger == key }?.value
    }

    /// The value of a map under `key`; nil if the key is missing or this is not a map.
    package subscript(_ key: String) -> CBORValue? {
        guard case .map(let entries) = self else { return nil }
        return entries.first { entry in
            // Compares bytes, because `String` compares by canonical equivalence.
            if case .text(let text) = entry.key { text.utf8.elementsEqual(key.utf8) } else { false }
        }?.value
    }
}
