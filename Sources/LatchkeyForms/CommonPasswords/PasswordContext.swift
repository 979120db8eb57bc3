/// What is known of the person whose password it is: the words that somebody who knows them would try first.
public struct PasswordContext: Sendable {
    public var username: String?
    public var email: String?
    /// What the person is called, in any number of words.
    public var names: [String]

    public init(username: String? = nil, email: String? = nil, names: [String] = []) {
        self.username = username
        self.email = email
        self.names = names
    }

    /// Of an account.
    ///
    /// - Parameter attributes: by `apiKey`; the names of people among them are taken.
    public init(username: String, email: String, attributes: [String: String]) {
        self.init(
            username: username, email: email,
            names: attributes.filter { Self.isName(FieldKey(rawValue: $0.key)) }.sorted { $0.key < $1.key }.map(\.value)
        )
    }

    /// Of the answers that a form has so far.
    init(_ form: borrowing FormValues) {
        func text(_ key: FieldKey) -> String? {
            let text = form.withValue(of: key) { String(copying: $0) }
            return text.isEmpty ? nil : text
        }
        username = text(.username)
        email = text(.email)
        names = []
        for key in form.textKeys where Self.isName(key) { names += [text(key)].compactMap(\.self) }
    }

    /// `name`, `full_name`, `surname`, `nickname` and their like.
    private static func isName(_ key: FieldKey) -> Bool { key.rawValue.hasSuffix("name") && key != .username }

    /// The words that a password must not be made of, each with whose it is.
    var words: [(word: ContextWord, reason: CommonPasswords.Reason)] {
        var words: [(ContextWord, CommonPasswords.Reason)] = []
        if let username {
            let spellings = [username, UsernameRule().normalForm(of: username.utf8Span)].compactMap(\.self)
            words += spellings.flatMap { ContextWord.words(of: $0) }.map { ($0, .username) }
        }
        for name in names { words += ContextWord.words(of: name).map { ($0, .name) } }
        if let email { words += ContextWord.words(ofAddress: email).map { ($0, .email) } }
        return words
    }
}
