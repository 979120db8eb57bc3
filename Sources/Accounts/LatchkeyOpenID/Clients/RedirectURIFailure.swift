/// The rule that a URI violates at its registration. The raw values are stable.
package enum RedirectURIFailure: String, Error, Sendable, CaseIterable {
    case tooLong = "too_long"
    case controlCharacter = "control_character"
    case notASCII = "not_ascii"
    case backslash
    case fragment
    case wildcard
    case illegalCharacter = "illegal_character"
    case noScheme = "no_scheme"
    case scheme
    /// Only of ``LogoutURI``.
    case notWeb = "not_web"
    case notSecure = "not_secure"
    case userInfo = "user_info"
    case host
    case port
    case dotSegment = "dot_segment"

    /// The rule in plain words, to follow "The URI".
    package var rule: String {
        switch self {
        case .tooLong: "must have at most \(RedirectURI.maximumByteCount) bytes"
        case .controlCharacter: "must not contain a control character"
        case .notASCII: "must contain only ASCII characters: write a host in its xn-- form, and encode other characters"
        case .backslash: "must not contain a backslash"
        case .fragment: "must not contain a fragment (#)"
        case .wildcard: "must not contain a wildcard (*): register each URI"
        case .illegalCharacter: "must not contain characters that a URI has to encode"
        case .noScheme: "must begin with a scheme in lower case, such as https:"
        case .scheme: "must have the scheme https, or a scheme of the application with a dot, such as org.example.app"
        case .notWeb: "must have the scheme https or http"
        case .notSecure: "must use https, except for this machine"
        case .userInfo: "must not contain a user name or password before the host (@)"
        case .host: "must have a valid host"
        case .port: "must have a port from 1 to 65535, without a leading zero, or none"
        case .dotSegment: "must not contain the path segments . and .."
        }
    }
}
