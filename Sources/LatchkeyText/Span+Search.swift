import Glibc

extension Span<UInt8> {
    /// Where `byte` stands first, at `start` or behind it. A loop would take minutes for a gigabyte that somebody sends.
    package func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
        unsafe withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress,
                let found = unsafe memchr(base + start, Int32(byte), buffer.count - start)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
        }
    }
}
