package import LatchkeyText

extension QRCode {
    /// The quiet zone in modules. ISO/IEC 18004 requires four, but scanners accept two, with which a code of version 5
    /// fits into 41 × 21 cells.
    private static let quietZone = 2

    /// The code as lines of block elements (U+2580), each with two rows of modules. Light modules are blocks and dark
    /// modules are gaps, so that the colours are correct on a dark terminal.
    ///
    /// Draw the lines in ``Role/qrCode``. A light terminal would swap the colours, which some scanners do not accept.
    /// Without colours it still does, so show the text next to the code.
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
