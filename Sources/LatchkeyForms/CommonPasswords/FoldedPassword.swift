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
        do throws(OpaqueString.Violation) {
            prepared = try OpaqueString.prepared(password)
            folded = try OpaqueString.caseFolded(password)
        } catch .outOfMemory {
            throw .outOfMemory
        } catch {
            return nil
        }
    }
}
