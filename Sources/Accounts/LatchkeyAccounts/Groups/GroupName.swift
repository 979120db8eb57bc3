/// The name of a group: 1 to 64 characters from `a-z 0-9 . _ -`, the first of them a letter or a digit.
///
/// Such a name needs no quoting in a header, a path, a DN or a shell.
public struct GroupName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The name.
    public let text: String

    /// The maximum number of characters.
    public static let maximumLength = 64

    /// Nil if `text` is not a valid name. Capital letters are refused, because applications compare bytes.
    public init?(_ text: String) {
        let bytes = text.utf8Span.span
        guard 1...Self.maximumLength ~= bytes.count, Self.isAlphanumeric(bytes[0]),
            bytes.indices.allSatisfy({ Self.isAlphanumeric(bytes[$0]) || Self.isSign(bytes[$0]) })
        else { return nil }
        self.text = text
    }

    /// The default name of the group whose members administer Latchkey.
    public static let administrators = GroupName(trusted: "admins")

    private init(trusted text: String) { self.text = text }

    public var description: String { text }

    /// Compares bytes, because names are ASCII.
    public static func < (left: GroupName, right: GroupName) -> Bool { left.text < right.text }

    /// Whether a byte is `.`, `_` or `-`.
    private static func isSign(_ byte: UInt8) -> Bool { byte == 0x2E || byte == 0x5F || byte == 0x2D }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}

extension [GroupName] {
    /// The names with spaces between them.
    public var line: String { map(\.text).joined(separator: " ") }

    /// Parses names with spaces between them; nil if one of them is invalid.
    public init?(line: String) {
        var names: [GroupName] = []
        for word in line.utf8.split(separator: UInt8(ascii: " ")) {
            guard let name = GroupName(String(Substring(word))) else { return nil }
            names.append(name)
        }
        self = names
    }

    /// The names in order, each once.
    package var canonical: [GroupName] {
        // A file has the names of each account in order, if another program wrote it.
        if zip(self, dropFirst()).allSatisfy({ $0 < $1 }) { return self }
        var names: [GroupName] = []
        names.reserveCapacity(count)
        for name in sorted() where names.last != name { names.append(name) }
        return names
    }
}
