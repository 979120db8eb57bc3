import LatchkeySecrets

/// Cuts the bytes of a terminal in cooked mode into lines, in one locked buffer of a fixed size: one that grew would leave
/// what was typed in freed memory.
struct LineDecoder: ~Copyable {
    /// The system keeps this many bytes of a line, its end among them, and drops the rest (Linux, N_TTY).
    static let longestLine = 4096

    private var line = SecretBytes(capacity: Self.longestLine)
    private var isOverlong = false

    /// Takes what was read, and gives each line that ends in it to `body`, in order; nil for one that is too long, or so
    /// long that the system may have cut it.
    mutating func decode(_ bytes: Span<UInt8>, _ body: (Secret?) -> Void) {
        for index in bytes.indices {
            guard bytes[index] == UInt8(ascii: "\n") else {
                if !line.append(bytes[index]) { isOverlong = true }
                continue
            }
            body(isOverlong || line.count >= Self.longestLine - 1 ? nil : line.withBytes { Secret(copying: $0) })
            isOverlong = false
            line.removeAll()
        }
    }
}
