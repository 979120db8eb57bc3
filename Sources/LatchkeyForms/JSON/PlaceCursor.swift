/// Turns offsets into lines and columns on the way through a text, looking at each byte once.
struct PlaceCursor {
    private var offset: Int
    private var line: Int
    private var column: Int

    /// - Parameters:
    ///   - offset: of the first byte that is looked at.
    ///   - place: of that byte.
    init(at offset: Int = 0, _ place: TextPlace = TextPlace(line: 1, column: 1)) {
        self.offset = offset
        line = place.line
        column = place.column
    }

    /// The place of the byte at `offset`, which lies behind the one before it, or where it is.
    mutating func place(of offset: Int, in bytes: Span<UInt8>) -> TextPlace {
        while self.offset < offset {
            let byte = bytes[self.offset]
            self.offset += 1
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if !UTF8.isContinuation(byte) {
                column += 1
            }
        }
        return TextPlace(line: line, column: column)
    }

    static func place(of offset: Int, in bytes: Span<UInt8>) -> TextPlace {
        var cursor = PlaceCursor()
        return cursor.place(of: offset, in: bytes)
    }
}
