public import LatchkeySecrets

extension Secret {
    /// A secret of the UTF-8 of a literal. For tests, which have no secrets.
    public convenience init(_ text: String) { self.init(copying: text.utf8Span.span) }

    /// Its bytes as text. For tests alone.
    public var text: String {
        withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
    }
}
