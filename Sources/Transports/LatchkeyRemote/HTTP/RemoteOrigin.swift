import LatchkeySecrets

/// The origin of a service: the only scheme, host and port to which requests are sent.
///
/// All spellings of an origin are equal, because default ports are left out and the host is in lower-case ASCII.
public struct RemoteOrigin: Hashable, Sendable, CustomStringConvertible {
    /// The host or socket to connect to.
    enum Place: Hashable, Sendable {
        case host(ServerAddress)
        case socket(path: String)
    }

    let place: Place

    /// Parses `https://host[:port]`, `http://host[:port]` for loopback addresses of this machine (`localhost`,
    /// 127.0.0.0/8 or `[::1]`), or `unix:/path`. A user who can write to the socket's folder can impersonate the
    /// service.
    public init(_ text: String) throws(RemoteOriginError) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            guard path.hasPrefix("/"), 2...Self.longestPath ~= path.utf8.count,
                path.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
            else { throw .socketPath }
            place = .socket(path: path)
            return
        }
        guard let address = ServerAddress(text, defaultPorts: ["https": 443, "http": 80]) else { throw .malformed }
        guard address.scheme == "https" || address.isLoopback else { throw .unencrypted(host: address.host) }
        place = .host(address)
    }

    /// The maximum length of a path in bytes. `sun_path` has 108 bytes, including a final NUL (unix(7)).
    private static let longestPath = 107

    /// The origin in canonical form, such as `https://accounts.example.org`.
    public var text: String {
        switch place {
        case .host(let address): address.text
        case .socket(let path): "unix:" + path
        }
    }

    /// The same as ``text``.
    public var description: String { text }

    /// The SHA-256 digest of ``text``, 32 bytes. It binds a stored token to the service that issued it.
    public var digest: [UInt8] { SHA256Digest.of(text.utf8Span.span) }

    /// The start of the URL of each request. For a Unix socket, it needs a host name for the `Host` header.
    public var base: String {
        switch place {
        case .host(let address): address.text
        case .socket: "http://localhost"
        }
    }

    /// The path of the socket; nil for a host.
    public var socket: String? {
        guard case .socket(let path) = place else { return nil }
        return path
    }

    /// The only protocol that requests use.
    var scheme: String {
        switch place {
        case .host(let address): address.scheme
        case .socket: "http"
        }
    }
}

/// The reason why a string is not the origin of a service.
public enum RemoteOriginError: Error, Equatable, Sendable {
    /// The string is neither `https://host[:port]` nor `unix:/path`.
    case malformed
    /// The origin is `http` on another machine, where others could read passwords and tokens.
    case unencrypted(host: String)
    /// The path of the socket is not absolute, longer than 107 bytes, or contains control characters.
    case socketPath
}
