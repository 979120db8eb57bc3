import LatchkeyText

/// A word that a password must not be made of: the name of its owner, of their account, of the service.
///
/// Refused is the word, or its reverse, once or more, with up to four characters that are no letters at either end; never
/// what merely has the word somewhere in it. Of one or two letters only the word itself is refused, repeated or not: with
/// eight digits around it, it is the digits that would have to be guessed.
struct ContextWord: Sendable {
    /// The word and its reverse, in the form in which passwords are compared.
    private let spellings: [[UInt8]]
    private let mayBeExtended: Bool

    /// Nil for an empty text, and one that is longer than any password.
    init?(_ text: String) {
        let reversed = String(text.reversed())
        guard !text.isEmpty, let word = Self.folded(text), let drow = Self.folded(reversed) else { return nil }
        spellings = word == drow ? [word] : [word, drow]
        mayBeExtended = text.unicodeScalars.count > 2
    }

    /// A name as a whole, without what parts its words, and each word.
    static func words(of name: String) -> [ContextWord] {
        let parts = name.split { !$0.isLetter && !$0.isNumber }
        let texts = [name, parts.joined()] + (parts.count > 1 ? parts.map(String.init) : [])
        return texts.compactMap(ContextWord.init)
    }

    /// An address as a whole, its local part and domain, and the labels of the domain but the last, which is everybody's.
    static func words(ofAddress address: String) -> [ContextWord] {
        guard let at = address.lastIndex(of: "@") else { return words(of: address) }
        let domain = address[address.index(after: at)...]
        let labels = domain.split(separator: ".").dropLast()
        let texts = [address, String(domain)].compactMap(ContextWord.init)
        return texts + ([String(address[..<at])] + labels.map(String.init)).flatMap { words(of: $0) }
    }

    /// Whether a password is made of this word.
    ///
    /// - Parameter password: in the form in which passwords are compared.
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

/// Where the middle of a password may begin and end, when characters that are no letters have been put around it.
struct PasswordMargins {
    /// How many characters count as put around.
    private static let width = 4

    /// Offsets of bytes: of the start, and behind each of the first characters that are no letters.
    let starts: [Int]
    /// The end, and before each of the last characters that are no letters.
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
