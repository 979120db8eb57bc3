import LatchkeyText

extension HTML {
    /// The quiet zone in modules, as ISO/IEC 18004 requires.
    private static let quietZone = 4

    /// Adds a QR code as an image, black on white in every colour scheme.
    ///
    /// The colours are SVG attributes, because the pages' security policy forbids `style`.
    ///
    /// - Parameter title: the text for screen readers.
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

    /// One line, one module wide, for each run of dark modules in a row. This takes half as many bytes as rectangles.
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
