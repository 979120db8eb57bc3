package import LatchkeySecrets
import LatchkeyText

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
