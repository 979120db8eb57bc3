public import LatchkeySecrets
import LatchkeyText

/// Finds passwords that are on a blocklist or derived from public facts about their owner (NIST SP 800-63B-4, section
/// 3.1.1.2).
///
/// It only compares the whole password, ignoring case.
public struct CommonPasswords: Sendable {
    /// The reason why a password is refused.
    public enum Reason: String, Sendable, CaseIterable {
        /// It is on a blocklist.
        case listed
        /// It is derived from the name of the service.
        case service
        /// It is derived from the username.
        case username
        /// It is derived from the e-mail address or a part of it.
        case email
        /// It is derived from a person's name.
        case name
        /// It is derived from one of the operator's words.
        case word
    }

    private let lists: [Blocklist]
    private let serviceWords: [ContextWord]
    private let contextWords: @Sendable () throws(BlocklistError) -> [String]

    /// Creates a check with these lists and words.
    ///
    /// - Parameters:
    ///   - lists: the blocklists to search.
    ///   - serviceName: the name of the service. Passwords derived from it are refused.
    ///   - contextWords: returns the operator's words; called for each check.
    public init(
        lists: [Blocklist] = [.shipped], serviceName: String = "Latchkey",
        contextWords: @escaping @Sendable () throws(BlocklistError) -> [String] = { [] }
    ) {
        self.lists = lists
        serviceWords = ContextWord.words(of: serviceName)
        self.contextWords = contextWords
    }

    /// Uses the shipped list and the service name "Latchkey".
    public static let standard = CommonPasswords()

    /// The reason why `password` must not be set; nil if it may be set. Also nil for input longer than any password,
    /// which other rules refuse.
    ///
    /// - Throws: ``BlocklistError`` if a list cannot be searched. In this case, the password must not be set.
    public func reason(
        against password: UTF8Span, in context: PasswordContext
    ) throws(BlocklistError) -> Reason? {
        try reason(against: FoldedPassword(password), in: context)
    }

    /// The reason why `password` must not be set; nil if it may be set. The password is already in locked memory.
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

/// A password, prepared for comparison with lists and words.
package struct FoldedPassword: Sendable {
    /// The password, prepared with the OpaqueString profile (RFC 8265, section 4.2).
    let prepared: Secret
    /// The prepared password, case-folded.
    package let folded: Secret

    /// Prepares a password; nil for input longer than any password.
    package init?(_ password: UTF8Span) throws(BlocklistError) {
        try self.init { () throws(OpaqueString.Violation) in try OpaqueString.prepared(password) }
    }

    /// Like ``init(_:)-(UTF8Span)``, but for a password in locked memory, which is usually already prepared.
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
