/// What kind of text a field expects. In a terminal it decides which keys it refuses and what it hints at.
public enum KeyboardType: String, Sendable, CaseIterable {
    case `default`
    case emailAddress
    case numberPad
    case phonePad
    case url = "URL"
}
