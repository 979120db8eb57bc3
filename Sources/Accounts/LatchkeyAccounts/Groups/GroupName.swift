/// The name of a group: 1 to 64 characters from `a-z 0-9 . _ -`, the first of them a letter or a digit.
///
/// Such a name needs no quoting in a header, a path, a DN or a shell.
public struct GroupName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The name.
    public let text: String

    /// The maximum number of characters.
    public static let maximumLength = 64

    /// Nil if `text` is not a valid name. Capital letters are refused, because applications compare bytes.
    public init?(_ text: some StringProtocol) {
        guard 1...Self.maximumLength ~= text.utf8.count, let first = text.utf8.first, Self.isAlphanumeric(first),
            text.utf8.allSatisfy({ Self.isAlphanumeric($0) || $0 == 0x2E || $0 == 0x5F || $0 == 0x2D })
        else { return nil }
        self.text = String(text)
    }

    /// The default name of the group whose members administer Latchkey.
    public static let administrators = GroupName(trusted: "admins")

    private init(trusted text: String) { self.text = text }

    public var description: String { text }

    /// Compares bytes.
    public static func < (left: GroupName, right: GroupName) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}

extension [GroupName] {
    /// The names with spaces between them.
    public var line: String { map(\.text).joined(separator: " ") }

    /// Parses names with spaces between them; nil if one of them is invalid.
    public init?(line: some StringProtocol) {
        var names: [GroupName] = []
        for word in line.split(separator: " ") {
            guard let name = GroupName(word) else { return nil }
            names.append(name)
        }
        self = names
    }

    /// The names in order, each once.
    package var canonical: [GroupName] { Set(self).sorted() }
}
