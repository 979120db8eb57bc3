import LatchkeyText

extension HTML {
    /// The quiet zone in modules that ISO/IEC 18004 requires.
    private static let quietZone = 4

    /// Adds a QR code as an image, black on white in every colour scheme.
    ///
    /// The colours are attributes of SVG, because a page's security policy forbids `style`.
    ///
    /// - Parameter title: what a screen reader says.
    mutating func qrCode(_ code: QRCode, title: String) {
        let side = code.size + 2 * Self.quietZone
        element(
            "svg",
            [
                .with("class", "qr-code"), .with("viewBox", "0 0 \(side) \(side)"), .with("role", "img"),
                .with("shape-rendering", "crispEdges"),
            ]
        ) { html in
            html.element("title", title)
            html.element("rect", [.with("width", "\(side)"), .with("height", "\(side)"), .with("fill", "#fff")])
            html.element("path", [.with("d", Self.lines(of: code)), .with("stroke", "#000")])
        }
    }

    /// One line for each run of dark modules in a row, one module wide: half the size of a rectangle for each.
    private static func lines(of code: QRCode) -> String {
        var lines = ""
        for row in 0..<code.size {
            lines += "M\(quietZone) \(row + quietZone).5"
            var (column, end) = (0, 0)
            while column < code.size {
                let start = column
                while code.isDark(column: column, row: row) { column += 1 }
                if column > start {
                    lines += start > end ? "m\(start - end) 0h\(column - start)" : "h\(column - start)"
                    end = column
                }
                column += 1
            }
        }
        return lines
    }
}
