/// The lines of refused rows, met again while the file is read once more.
struct RefusedLines {
    private var rest: ArraySlice<Int>

    /// - Parameter lines: ascending.
    init(_ lines: [Int]) { rest = lines[...] }

    /// Whether the row on this line is one of them; lines come in their order.
    mutating func meets(_ line: Int) -> Bool {
        guard rest.first == line else { return false }
        rest.removeFirst()
        return true
    }
}
