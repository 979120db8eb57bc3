/// How texts are written in the scripts of shells.
enum ShellText {
    /// In single quotes, within which POSIX shells and zsh know nothing but their end.
    static func posix(_ text: String) -> String {
        "'" + text.replacing("'", with: "'\\''") + "'"
    }

    /// In fish's single quotes, within which a backslash escapes itself and the quote.
    static func fish(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }

    /// What the scripts call a kind of value.
    static func name(of kind: ValueKind) -> String {
        switch kind {
        case .text, .form: "text"
        case .file: "file"
        case .folder: "folder"
        case .program: "program"
        case .oneOf: "list"
        }
    }

    static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}
