import LatchkeyText

/// A word from which a password must not be derived: a name of its owner, of the account, or of the service.
///
/// A password is refused if it consists of the word or its reverse, once or repeated, with up to four characters that
/// are not letters at each end. A password that merely contains the word is accepted. A word of one or two letters must
/// match without extra characters, because eight digits around two letters are hard enough to guess.
struct ContextWord: Sendable {
    /// The word and its reverse, case-folded.
    private let spellings: [[UInt8]]
    private let mayBeExtended: Bool

    /// Prepares a word; nil if `text` is empty or longer than any password.
    init?(_ text: String) {
        let reversed = String(text.reversed())
        guard !text.isEmpty, let word = Self.folded(text), let drow = Self.folded(reversed) else { return nil }
        spellings = word == drow ? [word] : [word, drow]
        mayBeExtended = text.unicodeScalars.count > 2
    }

    /// The words of a name: the whole name, the name without separators, and each part.
    static func words(of name: String) -> [ContextWord] {
        let parts = name.split { !$0.isLetter && !$0.isNumber }
        let texts = [name, parts.joined()] + (parts.count > 1 ? parts.map(String.init) : [])
        return texts.compactMap(ContextWord.init)
    }

    /// The words of an e-mail address: the whole address, the local part, the domain, and all domain labels except the
    /// last one, which many addresses share.
    static func words(ofAddress address: String) -> [ContextWord] {
        guard let at = address.lastIndex(of: "@") else { return words(of: address) }
        let domain = address[address.index(after: at)...]
        let labels = domain.split(separator: ".").dropLast()
        let texts = [address, String(domain)].compactMap(ContextWord.init)
        return texts + ([String(address[..<at])] + labels.map(String.init)).flatMap { words(of: $0) }
    }

    /// Whether a password is derived from this word.
    ///
    /// - Parameter password: the case-folded password.
    func makes(_ password: Span<UInt8>, _ margins: PasswordMargins) -> Bool {
        for start in mayBeExtended ? margins.starts : [0] {
            for end in mayBeExtended ? margins.ends : [password.count] where start < end {
                let middle = password.extracting(start..<end)
                if spellings.contains(where: { Self.isRepetition(middle, of: $0) }) { return true }
            }
        }
        return false
    }

    private static func isRepetition(_ text: Span<UInt8>, of word: [UInt8]) -> Bool {
        text.count.isMultiple(of: word.count) && text.indices.allSatisfy { text[$0] == word[$0 % word.count] }
    }

    private static func folded(_ text: String) -> [UInt8]? { try? OpaqueString.caseFolded(word: text.utf8Span) }
}

/// The positions at which a word can start and end inside a password, surrounded by digits and signs.
struct PasswordMargins {
    /// The maximum number of characters on each side of the word.
    private static let width = 4

    /// Byte offsets: 0, and the end of each leading non-letter.
    let starts: [Int]
    /// Byte offsets: the end of the password, and the start of each trailing non-letter.
    let ends: [Int]

    init(of text: UTF8Span) {
        var starts = [0]
        var trailing: [Int] = []
        var hadLetter = false
        var scalars = text.makeUnicodeScalarIterator()
        while let scalar = scalars.next() {
            if scalar.properties.isAlphabetic {
                hadLetter = true
                trailing = []
            } else {
                let end = scalars.currentCodeUnitOffset
                trailing.append(end - UTF8.width(scalar))
                if !hadLetter, starts.count <= Self.width { starts.append(end) }
            }
        }
        self.starts = starts
        ends = [text.count] + trailing.suffix(Self.width).reversed()
    }
}
