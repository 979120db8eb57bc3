/// Why nothing can be said of a password by a list: it must then not be set.
public enum BlocklistError: Error, Equatable, Sendable {
    /// The list is not whole, or was not written as its format says.
    case damaged
    /// The list was made by a newer version, in a format that is not known here.
    case unknownVersion
    /// The list is there, and cannot be read.
    case unreadable
    /// The system has no memory to give.
    case outOfMemory
}
