/// Public facts about the owner of a password, which an attacker would try first.
public struct PasswordContext: Sendable {
    /// The name of the account.
    public var username: String?
    /// The e-mail address of the account.
    public var email: String?
    /// The names of the person; each may consist of several words.
    public var names: [String]

    /// Creates a context. All parts are optional.
    public init(username: String? = nil, email: String? = nil, names: [String] = []) {
        self.username = username
        self.email = email
        self.names = names
    }

    /// Creates the context of an account.
    ///
    /// - Parameters:
    ///   - attributes: the attributes by `apiKey`. Those with a key that ends in "name" are used.
    ///   - email: the e-mail address.
    ///   - username: the username.
    public init(username: String?, email: String, attributes: [String: FieldValue]) {
        self.init(
            username: username, email: email,
            names: attributes.filter { Self.isName(FieldKey(rawValue: $0.key)) }.sorted { $0.key < $1.key }
                .map(\.value.text)
        )
    }

    /// Creates the context from the current values of a form.
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

    /// Whether the key is that of a person's name: `name`, `full_name`, `surname`, `nickname` and so on.
    private static func isName(_ key: FieldKey) -> Bool { key.rawValue.hasSuffix("name") && key != .username }

    /// The words from which the password must not be derived, each with the reason to report.
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
