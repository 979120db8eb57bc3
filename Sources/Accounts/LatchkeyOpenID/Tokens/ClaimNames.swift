import LatchkeyForms

/// The names of claims that an operator defines.
package enum ClaimNames {
    /// The maximum number of characters.
    package static let maximumCount = 64

    /// Whether an operator may define a claim with this name: visible ASCII characters except quotation marks and
    /// backslashes, and not the name of a claim that Latchkey sets.
    package static func isFree(_ name: String) -> Bool {
        1...maximumCount ~= name.utf8.count && Scope(name) != nil && !FieldClaim.reserved.contains(name)
    }
}
