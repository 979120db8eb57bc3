import Glibc

/// Lends texts as C wants a list of them: each ended by a NUL, and the list by a null pointer.
///
/// - Parameter texts: none with a NUL in it, at which C would end it.
func withCStrings<Result>(
    _ texts: [[UInt8]], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var pointers =
        unsafe texts.map { text in
            unsafe (text + [0]).withUnsafeBufferPointer { bytes in
                unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe $0.baseAddress.flatMap { unsafe strdup($0) } }
            }
        } + [nil]
    defer { for index in unsafe pointers.indices { unsafe free(pointers[index]) } }
    return unsafe pointers.withUnsafeMutableBufferPointer { list in
        // Never empty: the null pointer is in it.
        unsafe body(list.baseAddress!)
    }
}
