/// The terminal's capabilities, read from environment variables. The program reads them and passes them in.
public struct TerminalEnvironment: Equatable, Sendable {
    /// Whether to ask line by line, for a screen reader, for a dumb terminal, or because the user wants it.
    public var isPlain: Bool
    /// Whether text may have colours.
    public var usesColor: Bool
    /// Whether the locale's encoding is UTF-8. If not, text is shown in ASCII.
    public var isUTF8: Bool
    /// Whether the terminal can show symbols beyond ASCII. The Linux console has few of them, whatever its encoding.
    public var hasSymbols: Bool
    /// Whether the terminal has a window whose title can be set. Consoles and VT terminals have none.
    public var hasWindowTitle = true
    /// The color theme that the user has chosen.
    public var theme = Theme.auto
    /// The command that opens the user's text editor; nil if there is none.
    public var editor: String?
    /// The folder for the editor's private file.
    public var temporaryFolder = "/tmp"

    /// The minimum number of columns for a full-screen form. On a narrower terminal, questions are asked line by line.
    static let leastColumns = 20

    /// Describes a terminal without environment variables, for example in a test.
    public init(isPlain: Bool = false, usesColor: Bool = true, isUTF8: Bool = true, hasSymbols: Bool = true) {
        self.isPlain = isPlain
        self.usesColor = usesColor
        self.isUTF8 = isUTF8
        self.hasSymbols = isUTF8 && hasSymbols
    }

    /// Reads the variables of a process.
    ///
    /// If `TERM` is unset, empty or `dumb`, or if `ACCESSIBLE` or `LATCHKEY_ACCESSIBLE` is neither empty nor `0`,
    /// questions are asked line by line. Colour depends on `FORCE_COLOR`, then `NO_COLOR` (<https://no-color.org>),
    /// then `CLICOLOR=0` (<https://bixense.com/clicolors>). The locale is the first nonempty variable of `LC_ALL`,
    /// `LC_CTYPE` and `LANG` (POSIX, section 8.2). The editor is `VISUAL` or `EDITOR`, and its file is created in
    /// `TMPDIR` (POSIX, section 8.3).
    ///
    /// - Parameters:
    ///   - forbidsColor: whether `--no-color` was given.
    ///   - theme: the color theme that the user has chosen.
    ///   - variables: the environment, which describes the terminal.
    public init(variables: [String: String], forbidsColor: Bool = false, theme: Theme = .auto) {
        self.theme = theme
        func isSet(_ name: String) -> Bool { variables[name]?.isEmpty == false }
        func isOn(_ name: String) -> Bool { isSet(name) && variables[name] != "0" }
        let term = variables["TERM"] ?? ""
        isPlain = term.isEmpty || term == "dumb" || isOn("ACCESSIBLE") || isOn("LATCHKEY_ACCESSIBLE")
        let hasColors = !term.hasPrefix("vt") && !isSet("NO_COLOR") && variables["CLICOLOR"] != "0"
        usesColor = !forbidsColor && (isOn("FORCE_COLOR") || hasColors)
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.filter(isSet).first.flatMap { variables[$0] } ?? ""
        let encoding = locale.lowercased()
        isUTF8 = encoding.contains("utf-8") || encoding.contains("utf8")
        hasSymbols = isUTF8 && term != "linux"
        hasWindowTitle = !isPlain && term != "linux" && !term.hasPrefix("vt")
        editor = ["VISUAL", "EDITOR"].lazy.filter(isSet).first.flatMap { variables[$0] }
        if isSet("TMPDIR"), let folder = variables["TMPDIR"] { temporaryFolder = folder }
    }

    /// Whether a terminal of this width takes lines instead of keys.
    public func takesLines(columns: Int) -> Bool { isPlain || columns < Self.leastColumns }

    /// The mode for a terminal of this width.
    func mode(columns: Int) -> TerminalMode { takesLines(columns: columns) ? .lines : .keys }
}
