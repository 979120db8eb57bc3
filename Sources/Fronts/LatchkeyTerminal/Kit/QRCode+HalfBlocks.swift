package import LatchkeyText

extension QRCode {
    /// The quiet zone in modules. ISO/IEC 18004 requires four. Scanners work with two, and a code of version 5 then
    /// fits into 41 × 21 cells.
    private static let quietZone = 2

    /// The code as lines of block elements (U+2580), with two rows of modules in each. Light modules are blocks and
    /// dark ones gaps, so that a dark terminal shows the code with its true colours.
    ///
    /// Draw them in ``Role/qrCode``. A light terminal would swap the colours, and some scanners refuse that. Without
    /// colours it still does, so show the text next to the code.
    package var halfBlockLines: [String] {
        let columns = -Self.quietZone..<size + Self.quietZone
        return stride(from: columns.lowerBound, to: columns.upperBound, by: 2).map { row in
            columns.reduce(into: "") { line, column in
                switch (isDark(column: column, row: row), isDark(column: column, row: row + 1)) {
                case (false, false): line += "█"
                case (false, true): line += "▀"
                case (true, false): line += "▄"
                case (true, true): line += " "
                }
            }
        }
    }
}
