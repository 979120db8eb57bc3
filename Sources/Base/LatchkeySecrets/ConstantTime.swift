import CSodium

/// Comparisons whose duration reveals nothing about the bytes.
package enum ConstantTime {
    /// Whether both spans contain the same bytes. The duration depends only on their lengths (libsodium's
    /// `sodium_memcmp`).
    package static func areEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        return unsafe left.withUnsafeBufferPointer { left in
            unsafe right.withUnsafeBufferPointer { right in
                unsafe sodium_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
            }
        }
    }
}
