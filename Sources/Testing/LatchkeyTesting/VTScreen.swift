import LatchkeyText

/// A small terminal emulator. It contains the screen after the bytes written so far.
///
/// It only supports the sequences that Latchkey's renderer uses. Others are stored in ``unknown``, so that a test can
/// check that there are none.
public struct VTScreen: Sendable {
    /// The width, in cells.
    public let columns: Int
    /// The height, in cells.
    public let rows: Int
    /// The row of the cursor, from 0.
    public private(set) var row = 0
    /// The column of the cursor, from 0.
    public private(set) var column = 0
    /// The lines that have scrolled off the top.
    public private(set) var scrollback: [String] = []
    /// Unknown sequences, without their escape character.
    public private(set) var unknown: [String] = []
    /// Whether the program has turned on bracketed paste.
    public private(set) var bracketsPaste = false
    /// How often the bell rang.
    public private(set) var bells = 0
    /// The title of the window; empty if no program has set it.
    public private(set) var windowTitle = ""
    private var savedTitles: [String] = []
    /// Whether long lines wrap (DECAWM).
    public private(set) var breaksLines = true

    /// The width of a character on this terminal, because terminals disagree about it.
    private let width: @Sendable (Character) -> Int

    private struct Cell {
        /// The character in the cell; nil for the second cell of a wide character.
        var text: String? = " "
        var style = Style()
    }

    /// The style of a cell.
    public struct Style: Equatable, Sendable {
        /// SGR 1.
        public fileprivate(set) var isBold = false
        /// SGR 2.
        public fileprivate(set) var isFaint = false
        /// SGR 4.
        public fileprivate(set) var isUnderlined = false
        /// SGR 7.
        public fileprivate(set) var isReversed = false
        /// A colour from 0 to 7; nil for the default.
        public fileprivate(set) var color: Int?
    }

    private var cells: [[Cell]]
    /// The normal screen with its cursor while the alternate one is shown; otherwise nil.
    private var before: (cells: [[Cell]], row: Int, column: Int)?
    private var style = Style()
    /// Whether the cursor is after the last column, so that the next character wraps first.
    private var wraps = false
    private var pending: [UInt8] = []

    /// Creates an empty screen.
    public init(columns: Int, rows: Int, width: (@Sendable (Character) -> Int)? = nil) {
        self.width = width ?? { CellWidth.of($0) }
        self.columns = columns
        self.rows = rows
        cells = Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
    }

    /// Whether the program shows the alternate screen (xterm's mode 1049), which has no scrollback.
    public var showsAlternateScreen: Bool { before != nil }

    /// The lines of the screen without trailing blanks.
    public var lines: [String] { cells.map(Self.text) }

    /// The screen without empty lines at the end.
    public var text: String {
        let last = lines.lastIndex { !$0.isEmpty } ?? -1
        return lines[...last].joined(separator: "\n")
    }

    /// A part of a line with one style.
    public struct Run: Sendable {
        /// The first column, from 0.
        public let column: Int
        /// The text of all cells.
        public let text: String
        /// The style of all cells.
        public let style: Style
    }

    /// The runs of each line, from left to right. Trailing unstyled blanks are left out.
    public var runs: [[Run]] {
        cells.map { line in
            var runs: [Run] = []
            for (column, cell) in line.enumerated() {
                guard let text = cell.text else { continue }
                if let last = runs.last, last.style == cell.style {
                    runs[runs.count - 1] = Run(column: last.column, text: last.text + text, style: last.style)
                } else {
                    runs.append(Run(column: column, text: text, style: cell.style))
                }
            }
            return runs.filter { $0.style.isReversed || $0.text.contains { $0 != " " } }
        }
    }

    private static func text(of line: [Cell]) -> String {
        var text = line.compactMap(\.text).joined()
        while text.last == " " { text.removeLast() }
        return text
    }

    /// Processes output in pieces of any size.
    public mutating func feed(_ bytes: [UInt8]) {
        pending += bytes
        while let length = nextPiece() {
            let piece = Array(pending.prefix(length))
            pending.removeFirst(length)
            take(piece)
        }
    }

    /// The length of the next control character, sequence or text; nil if it is incomplete.
    private func nextPiece() -> Int? {
        guard let first = pending.first else { return nil }
        if first == 0x1B {
            guard pending.count > 1 else { return nil }
            if pending[1] == UInt8(ascii: "]") {
                return pending.firstRange(of: [0x1B, UInt8(ascii: "\\")])?.upperBound
            }
            guard pending[1] == UInt8(ascii: "[") else { return 2 }
            return pending.dropFirst(2).firstIndex { (0x40...0x7E).contains($0) }.map { $0 + 1 }
        }
        if first < 0x20 || first == 0x7F { return 1 }
        var length = pending.firstIndex { $0 < 0x20 || $0 == 0x7F } ?? pending.count
        if length == pending.count {
            // Waits for the rest of an incomplete character.
            while length > 0, String(validating: pending[..<length], as: UTF8.self) == nil { length -= 1 }
            if length == 0 { return pending.count >= 4 ? 1 : nil }
        }
        return length
    }

    private mutating func take(_ piece: [UInt8]) {
        switch piece[0] {
        case 0x07: bells += 1
        case 0x0A: lineFeed()
        case 0x0D:
            column = 0
            wraps = false
        case 0x1B: obey(String(decoding: piece.dropFirst(), as: UTF8.self))
        case 0..<0x20, 0x7F: unknown.append("control \(piece[0])")
        default:
            for character in String(decoding: piece, as: UTF8.self) { put(character) }
        }
    }

    private mutating func put(_ character: Character) {
        let width = width(character)
        guard width > 0 else {
            if column > 0 { cells[row][column - 1].text?.append(character) }
            return
        }
        if wraps || column + width > columns {
            if !breaksLines { return }
            lineFeed()
            column = 0
        }
        wraps = false
        cells[row][column] = Cell(text: String(character), style: style)
        for second in (column + 1)..<max(column + width, column + 1) {
            cells[row][second] = Cell(text: nil, style: style)
        }
        column += width
        if column >= columns {
            column = columns - 1
            wraps = true
        }
    }

    // A line feed also moves the cursor to the first column, as in the modes OPOST and ONLCR.
    private mutating func lineFeed() {
        column = 0
        wraps = false
        if row < rows - 1 {
            row += 1
            return
        }
        let first = cells.removeFirst()
        if before == nil { scrollback.append(Self.text(of: first)) }
        cells.append(Array(repeating: Cell(), count: columns))
    }

    private mutating func obey(_ sequence: String) {
        if sequence.hasPrefix("]2;") {
            windowTitle = String(sequence.dropFirst(3).dropLast(2))
            return
        }
        guard sequence.first == "[", let final = sequence.last else {
            unknown.append(sequence)
            return
        }
        let parameters = String(sequence.dropFirst().dropLast())
        let number = Int(parameters)
        wraps = wraps && final == "m"
        switch (final, parameters) {
        case ("A", _): row = max(row - (number ?? 1), 0)
        case ("B", _): row = min(row + (number ?? 1), rows - 1)
        case ("C", _): column = min(column + (number ?? 1), columns - 1)
        case ("H", ""): (row, column) = (0, 0)
        case ("K", ""): erase(from: column, in: row)
        case ("J", ""):
            erase(from: column, in: row)
            for below in (row + 1)..<max(rows, row + 1) { erase(from: 0, in: below) }
        case ("m", _):
            // A missing parameter means 0.
            let parts = parameters.split(separator: ";", omittingEmptySubsequences: false)
            for part in parts { take(attribute: Int(part) ?? 0) }
        case ("h", "?7"): breaksLines = true
        case ("l", "?7"): breaksLines = false
        case ("t", "22;2"): savedTitles.append(windowTitle)
        case ("t", "23;2"): windowTitle = savedTitles.popLast() ?? ""
        case ("h", "?2004"): bracketsPaste = true
        case ("l", "?2004"): bracketsPaste = false
        case ("h", "?1049") where before == nil:
            before = (cells, row, column)
            for row in 0..<rows { erase(from: 0, in: row) }
        case ("l", "?1049"):
            guard let before else { break }
            (cells, row, column) = before
            self.before = nil
        default: unknown.append(sequence)
        }
    }

    /// Processes one SGR parameter (ECMA-48, section 8.3.117).
    private mutating func take(attribute: Int) {
        switch attribute {
        case 0: style = Style()
        case 1: style.isBold = true
        case 2: style.isFaint = true
        case 4: style.isUnderlined = true
        case 7: style.isReversed = true
        case 30...37: style.color = attribute - 30
        case 39: style.color = nil
        default: unknown.append("[\(attribute)m")
        }
    }

    private mutating func erase(from column: Int, in row: Int) {
        for place in column..<columns { cells[row][place] = Cell() }
    }
}
