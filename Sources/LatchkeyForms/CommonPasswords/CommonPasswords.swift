public import LatchkeySecrets
import LatchkeyText

/// The passwords that too many people have, and those that are built of what anybody knows about their owner (NIST SP
/// 800-63B-4, section 3.1.1.2).
///
/// The whole password is compared, without differences of case; never a part of it.
public struct CommonPasswords: Sendable {
    /// Why a password is refused.
    public enum Reason: String, Sendable, CaseIterable {
        /// It is on a list.
        case listed
        /// It is made of the service's name.
        case service
        /// It is made of the account's name.
        case username
        /// It is made of the account's address or a part of it.
        case email
        /// It is made of a person's name.
        case name
        /// It is made of a word that the operator does not want.
        case word
    }

    private let lists: [Blocklist]
    private let serviceWords: [ContextWord]
    private let contextWords: @Sendable () throws(BlocklistError) -> [String]

    /// - Parameters:
    ///   - lists: each is asked.
    ///   - contextWords: the operator's own, read each time that they are needed.
    public init(
        lists: [Blocklist] = [.shipped], serviceName: String = "Latchkey",
        contextWords: @escaping @Sendable () throws(BlocklistError) -> [String] = { [] }
    ) {
        self.lists = lists
        serviceWords = ContextWord.words(of: serviceName)
        self.contextWords = contextWords
    }

    /// The list that comes with Latchkey, and the service's name.
    public static let standard = CommonPasswords()

    /// Why `password` must not be set; nil where nothing speaks against it. What is longer than any password may be is
    /// for other rules.
    ///
    /// - Throws: ``BlocklistError``: nothing can be said, and so it must not be set.
    public func reason(
        against password: UTF8Span, in context: PasswordContext
    ) throws(BlocklistError) -> Reason? {
        try reason(against: FoldedPassword(password), in: context)
    }

    /// The same of one that is in locked memory already.
    public func reason(against password: Secret, in context: PasswordContext) throws(BlocklistError) -> Reason? {
        try reason(against: FoldedPassword(password), in: context)
    }

    private func reason(
        against password: FoldedPassword?, in context: PasswordContext
    ) throws(BlocklistError) -> Reason? {
        guard let password else { return nil }
        if let reason = try reason(ofContext: password, context) { return reason }
        for list in lists where try list.contains(password) { return .listed }
        return nil
    }

    private func reason(
        ofContext password: FoldedPassword, _ context: PasswordContext
    ) throws(BlocklistError) -> Reason? {
        var words = context.words
        words += serviceWords.map { ($0, .service) }
        words += try contextWords().compactMap(ContextWord.init).map { ($0, .word) }
        return password.folded.withBytes { bytes in
            guard let text = try? UTF8Span(validating: bytes) else { return nil }
            let margins = PasswordMargins(of: text)
            return words.first { $0.word.makes(bytes, margins) }?.reason
        }
    }
}

/// A password as it is compared with what is common.
package struct FoldedPassword: Sendable {
    /// By RFC 8265, section 4.2 (OpaqueString).
    let prepared: Secret
    /// The same without differences of case.
    package let folded: Secret

    /// Nil for a text that is too long to be a password.
    package init?(_ password: UTF8Span) throws(BlocklistError) {
        try self.init { () throws(OpaqueString.Violation) in try OpaqueString.prepared(password) }
    }

    /// The same of one that is in locked memory already, and mostly has the form in which it is compared.
    init?(_ password: Secret) throws(BlocklistError) {
        try self.init { () throws(OpaqueString.Violation) in try OpaqueString.prepared(password) }
    }

    private init?(_ prepare: () throws(OpaqueString.Violation) -> Secret) throws(BlocklistError) {
        do throws(OpaqueString.Violation) {
            prepared = try prepare()
            folded = try OpaqueString.caseFolded(prepared)
        } catch .outOfMemory {
            throw .outOfMemory
        } catch {
            return nil
        }
    }
}
