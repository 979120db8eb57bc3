import LatchkeyText

/// A text that a rule was given to compare answers with: by the UTF-8 of its NFC, so that the two spellings of an
/// accented letter are the same, and nothing else is.
struct ComparedText: Sendable {
    let text: String
    private let bytes: [UInt8]

    init(_ text: String) {
        self.text = text
        bytes = Array(Normalization.nfc(text.utf8Span).utf8)
    }

    func isEqual(to value: UTF8Span) -> Bool {
        Normalization.withNFC(of: value) { $0.count == bytes.count && isFound(in: $0, at: 0) }
    }

    func isPart(of value: UTF8Span) -> Bool {
        Normalization.withNFC(of: value) { value in
            value.count >= bytes.count && (0...(value.count - bytes.count)).contains { isFound(in: value, at: $0) }
        }
    }

    private func isFound(in value: Span<UInt8>, at start: Int) -> Bool {
        bytes.indices.allSatisfy { bytes[$0] == value[start + $0] }
    }
}
