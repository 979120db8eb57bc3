import LatchkeyAccounts
import LatchkeyForms
import LatchkeyTerminal
import LatchkeyText

/// Prints the rows of a list page by page. On a terminal, they form a table with a header, or a record with a line for each
/// cell if the terminal is too narrow for a table. Otherwise, tabs separate the cells of a line, or with `--json` each row
/// is an object. The memory does not grow with the number of rows.
struct ListTable {
    enum Cell {
        case text(String)
        /// A name or ID that people type into other commands. It is never cut.
        case id(String)
        /// A time: relative on a terminal, otherwise RFC 3339 in UTC.
        case time(Timestamp, withMilliseconds: Bool = false)
    }

    /// Whether the output is a table for people on a terminal.
    let isForPeople: Bool
    /// The number of added rows.
    private(set) var count = 0

    private let context: CommandContext
    private let titles: [String]
    private let showsFullTimes: Bool
    private let now = SystemClock().now()
    /// The rows of the current page, formatted for people or for programs.
    private var rows: [[String]] = []
    private var text = ""
    private var hasHeader = false
    /// Whether each row is a record. The first page decides for all.
    private var hasRecords: Bool?
    /// The width of each column. A column may become wider with a later page, but never narrower.
    private var widths: [Int]

    /// The columns that are never cut.
    private var wholeColumns: Set<Int> = []

    private static let gap = 2
    private static let leastWidth = 4

    /// - Parameters:
    ///   - titles: the message codes of the column titles; an empty code means no title.
    ///   - showsFullTimes: whether times on a terminal are in full, as in other outputs.
    init(_ context: CommandContext, titles: [String], showsFullTimes: Bool? = nil) {
        self.context = context
        self.titles = titles.map { $0.isEmpty ? "" : context.messages.sentence($0) }
        self.showsFullTimes = showsFullTimes ?? context.invocation.has(FlagSpec.utc.name)
        isForPeople = !context.output.json && context.output.isTerminal
        widths = self.titles.map { CellWidth.of($0) }
    }

    /// Adds a row to the current page.
    mutating func add(_ cells: @autoclosure () -> [Cell], json: @autoclosure () -> JSONValue) {
        count += 1
        guard !context.output.json else {
            text += json().encoded + "\n"
            return
        }
        let values = cells()
        for (place, cell) in values.enumerated() { if case .id = cell { wholeColumns.insert(place) } }
        let cells = values.map { TerminalEscaper.visible(shown($0)) }
        if isForPeople { rows.append(cells) } else { text += cells.joined(separator: "\t") + "\n" }
    }

    /// Prints the current page.
    mutating func endPage() throws(ToolFailure) {
        defer { (rows, text) = ([], "") }
        if !rows.isEmpty { layOut() }
        guard !text.isEmpty else { return }
        try context.output.result(escaped: text)
    }

    /// Prints the remaining rows and, on a terminal, their number.
    ///
    /// - Parameters:
    ///   - counted: the code of the sentence with the count.
    ///   - none: the code of the sentence for an empty list.
    mutating func finish(counted: String, none: String) throws(ToolFailure) {
        try endPage()
        guard isForPeople else { return }
        context.output.note(context.messages.sentence(count == 0 ? none : counted, ["count": .integer(count)]))
    }

    private func shown(_ cell: Cell) -> String {
        switch cell {
        case .text(let text), .id(let text): return text
        case .time(let time, let withMilliseconds):
            if isForPeople, !showsFullTimes { return context.messages.relative(time, now: now) }
            return withMilliseconds ? time.rfc3339Milliseconds : time.rfc3339
        }
    }

    // MARK: Layout

    private mutating func layOut() {
        for row in rows {
            for (place, cell) in row.enumerated() { widths[place] = max(widths[place], CellWidth.of(cell)) }
        }
        let environment = context.terminalEnvironment
        let records = hasRecords ?? !Self.isLegible(widths, in: context.output.columns, keeping: wholeColumns)
        hasRecords = records
        guard !records else { return layOutRecords() }
        let fitted = Self.fitted(widths, to: context.output.columns, keeping: wholeColumns)
        let mark = environment.isUTF8 ? "…" : "..."
        if !hasHeader {
            hasHeader = true
            let header = Self.line(titles, fitted, mark)
            let isStyled = environment.usesColor && !environment.isPlain
            text += (isStyled ? "\u{1B}[1m" + header + "\u{1B}[0m" : header) + "\n"
        }
        for row in rows { text += Self.line(row, fitted, mark) + "\n" }
    }

    /// Adds each row as lines with a title and a cell, and an empty line between the rows.
    private mutating func layOutRecords() {
        let width = titles.map { CellWidth.of($0) }.max() ?? 0
        for row in rows {
            if hasHeader { text += "\n" }
            hasHeader = true
            for (title, cell) in zip(titles, row) where !cell.isEmpty {
                text += title + String(repeating: " ", count: width - CellWidth.of(title) + Self.gap) + cell + "\n"
            }
        }
    }

    /// Whether a table leaves enough of each cell. A short cell is always whole.
    static func isLegible(_ widths: [Int], in columns: Int, keeping whole: Set<Int>) -> Bool {
        let fitted = fitted(widths, to: columns, keeping: whole)
        return fitted.reduce(0, +) + gap * (fitted.count - 1) <= columns
            && zip(widths, fitted).allSatisfy { $1 >= min($0, legibleWidth) }
    }

    /// The width at which people still recognize a time, an address or a name.
    private static let legibleWidth = 10

    private static func line(_ cells: [String], _ widths: [Int], _ mark: String) -> String {
        var line = ""
        var padding = 0
        for (cell, width) in zip(cells, widths) {
            let shown = clipped(cell, to: width, mark)
            guard !shown.isEmpty else {
                padding += width + gap
                continue
            }
            line += String(repeating: " ", count: padding) + shown
            padding = width - CellWidth.of(shown) + gap
        }
        return line
    }

    private static func clipped(_ text: String, to width: Int, _ mark: String) -> String {
        guard CellWidth.of(text) > width else { return text }
        var left = width - CellWidth.of(mark)
        return String(
            text.prefix { character in
                left -= CellWidth.of(character)
                return left >= 0
            }) + mark
    }

    /// Narrows the widest column until all columns fit, or none can become narrower.
    ///
    /// - Parameter whole: the columns that keep their width.
    static func fitted(_ widths: [Int], to columns: Int, keeping whole: Set<Int>) -> [Int] {
        var widths = widths
        var excess = widths.reduce(0, +) + gap * (widths.count - 1) - columns
        while excess > 0,
            let widest = widths.indices.filter({ !whole.contains($0) }).max(by: { widths[$0] < widths[$1] }),
            widths[widest] > leastWidth
        {
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }
}

extension FlagSpec {
    /// The flag of commands that show times.
    static let utc = FlagSpec("utc", "Show full times in UTC on a terminal too")
}
