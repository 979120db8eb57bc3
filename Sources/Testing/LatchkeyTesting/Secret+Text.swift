public import LatchkeySecrets

extension Secret {
    /// A secret with the UTF-8 of a literal. Only for tests, whose secrets are not real.
    public convenience init(_ text: String) { self.init(copying: text.utf8Span.span) }

    /// The bytes as text. Only for tests.
    public var text: String {
        withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
    }
}
