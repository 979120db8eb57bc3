package import LatchkeySecrets

/// The name of a key that hashes are sealed with: 8 random bytes. It is no secret.
public struct SealingKeyID: Hashable, Sendable, CustomStringConvertible {
    /// 16 hexadecimal digits in lower case.
    public let text: String

    public init?(_ text: String) {
        let digits = Set("0123456789abcdef".utf8)
        guard text.utf8.count == 16, text.utf8.allSatisfy(digits.contains) else { return nil }
        self.text = text
    }

    package init(from random: RandomSource) throws(RandomSource.Unavailable) {
        text = Hexadecimal.text(of: try random.bytes(8))
    }

    public var description: String { text }
}
