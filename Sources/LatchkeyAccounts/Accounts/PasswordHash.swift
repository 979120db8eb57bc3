/// A stored password hash: a PHC string, such as `$argon2id$v=19$m=65536,t=3,p=1$salt$tag`. Prints as nothing.
public struct PasswordHash: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// ASCII, at most 256 bytes.
    package let phc: String

    package init(phc: String) { self.phc = phc }

    public var description: String { "<password hash>" }
    public var debugDescription: String { "<password hash>" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
