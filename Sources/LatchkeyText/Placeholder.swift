// Stands in for the module while it is being written beside this.

public enum UsernameCaseMapped {
    public enum Violation: Error, Equatable, Sendable { case empty }
    public static func prepared(_ text: UTF8Span) throws(Violation) -> String {
        String(copying: text).lowercased()
    }
}

public enum CellWidth {
    public static func of(_ character: Character) -> Int { 1 }
    public static func of(_ text: String) -> Int { text.count }
}

public enum TerminalEscaper {
    public static func visible(_ text: String) -> String { text }
    public static func visible(_ bytes: Span<UInt8>) -> String { "" }
}
