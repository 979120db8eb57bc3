package import LatchkeySecrets

/// A request that has passed the gate: HTTP/1.0 or 1.1 (RFC 9112), with its whole body.
package struct HTTPRequest: Sendable {
    /// The method as sent. Methods are case-sensitive (RFC 9110, section 9.1).
    package let method: String
    /// The decoded path and query.
    package let target: HTTPTarget
    /// The headers. Those with secrets are stored separately.
    package let headers: HTTPHeaders
    /// The body; empty if there is none. It is in locked memory, because it may contain a password.
    package let body: Secret
    /// The address of the peer; nil for a Unix socket.
    package let peer: HTTPAddress?
    /// Identifies the request in the log and in the header `X-Request-Id`: 16 hexadecimal digits.
    package let id: String
    /// Stops counting the request's connection toward the limit of its client, because its sender has authenticated.
    package let exempt: @Sendable () -> Void

    /// Creates a request.
    package init(
        method: String, target: HTTPTarget, headers: HTTPHeaders = HTTPHeaders(),
        body: Secret = Secret(SecretBytes(capacity: 0)), peer: HTTPAddress? = nil, id: String = "",
        exempt: @escaping @Sendable () -> Void = {}
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.peer = peer
        self.id = id
        self.exempt = exempt
    }

    /// The host and port that the request is for, in lower case; empty if there is none. A host in the target overrides
    /// the header (RFC 9112, section 3.2.2).
    package var host: String { target.host ?? headers["host"]?.lowercased() ?? "" }

    /// Whether the method is safe (RFC 9110, section 9.2.1).
    package var isSafe: Bool { ["GET", "HEAD", "OPTIONS"].contains(method) }

    /// The media type of the body in lower case, without parameters; nil if there is none.
    package var mediaType: String? {
        headers["content-type"].flatMap { HeaderElement($0) }?.parts.first?.name
    }
}

/// The headers of a request. The values of `Authorization`, `Cookie` and `Latchkey-Device` stay in locked memory and
/// are never converted to a `String`.
package struct HTTPHeaders: Sendable {
    private var values: [(name: String, value: String)] = []
    private var secrets: [(name: String, value: Secret)] = []

    /// The headers with secret values, in lower case.
    static let secretNames: Set<String> = ["authorization", "cookie", "latchkey-device"]

    /// Creates an empty set of headers.
    package init() {}

    /// Adds a header.
    ///
    /// - Parameter name: the name in any case.
    package mutating func add(_ name: String, _ value: String) {
        let name = name.lowercased()
        if Self.secretNames.contains(name) {
            secrets.append((name, Secret(copying: value.utf8Span.span)))
        } else {
            values.append((name, value))
        }
    }

    mutating func add(_ name: String, bytes: Span<UInt8>) {
        let name = name.lowercased()
        if Self.secretNames.contains(name) {
            secrets.append((name, Secret(copying: bytes)))
        } else {
            // None of the headers that Latchkey reads may contain invalid UTF-8. U+FFFD matches none of their valid
            // values.
            values.append((name, unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }))
        }
    }

    /// The value of the header with this lower-case name; nil if it is missing or occurs several times.
    package subscript(name: String) -> String? {
        let found = values.filter { $0.name == name }
        return found.count == 1 ? found[0].value : nil
    }

    /// All values of the header with this lower-case name, in order.
    package func all(_ name: String) -> [String] { values.filter { $0.name == name }.map(\.value) }

    /// The number of headers with this name.
    func count(of name: String) -> Int {
        values.count { $0.name == name } + secrets.count { $0.name == name }
    }

    /// The token in `Authorization: Bearer TOKEN` (RFC 6750, section 2.1); nil if there is no such header.
    package var bearerToken: Secret? {
        secret("authorization")?.withBytes { bytes in
            let scheme = Array("bearer ".utf8)
            guard bytes.count > scheme.count else { return nil }
            for index in scheme.indices where bytes[index] | 0x20 != scheme[index] { return nil }
            return Secret(copying: bytes.extracting(scheme.count...))
        }
    }

    /// The value of a secret header with this lower-case name; nil if it is missing or occurs several times.
    package func secret(_ name: String) -> Secret? {
        let found = secrets.filter { $0.name == name }
        return found.count == 1 ? found[0].value : nil
    }

    /// Whether the request has an `Authorization` header.
    package var hasAuthorization: Bool { secrets.contains { $0.name == "authorization" } }

    /// The values of the cookies with this name (RFC 6265, section 4.2.1), in order and without repetitions.
    ///
    /// Browsers send several cookies of one name if their paths or domains differ. Their order proves nothing, because
    /// any host of a domain can set a cookie for all of it (RFC 6265, section 8.6).
    package func cookies(_ name: String) -> [Secret] {
        let wanted = Array(name.utf8) + [UInt8(ascii: "=")]
        var found: [Secret] = []
        for header in secrets where header.name == "cookie" {
            header.value.withBytes { bytes in
                var start = 0
                while start < bytes.count {
                    let end = bytes.endOfCookie(from: start)
                    while start < end, bytes[start] == UInt8(ascii: " ") { start += 1 }
                    let pair = bytes.extracting(start..<end)
                    if pair.starts(with: wanted) {
                        let value = Secret(copying: pair.extracting(wanted.count...))
                        if !found.contains(where: { $0.isEqual(to: value) }) { found.append(value) }
                    }
                    start = end + 1
                }
            }
        }
        return found
    }
}

extension Span<UInt8> {
    /// The end of the cookie that begins at `start`. A value in quotation marks may contain semicolons: some programs
    /// write them, although no browser stores them.
    fileprivate func endOfCookie(from start: Int) -> Int {
        var end = start
        while end < count, self[end] != UInt8(ascii: ";"), self[end] != UInt8(ascii: "=") { end += 1 }
        if let quoted = endOfQuotedString(from: end + 1) { return quoted }
        while end < count, self[end] != UInt8(ascii: ";") { end += 1 }
        return end
    }

    /// The place after a quoted string and the blanks behind it; nil if none begins at `start`, if it does not end, or
    /// if more follows before the next semicolon.
    private func endOfQuotedString(from start: Int) -> Int? {
        guard start < count, self[start] == UInt8(ascii: "\"") else { return nil }
        var end = start + 1
        while end < count, self[end] != UInt8(ascii: "\"") { end += self[end] == UInt8(ascii: "\\") ? 2 : 1 }
        guard end < count else { return nil }
        end += 1
        while end < count, self[end] == UInt8(ascii: " ") { end += 1 }
        return end == count || self[end] == UInt8(ascii: ";") ? end : nil
    }

    fileprivate func starts(with bytes: [UInt8]) -> Bool {
        guard count >= bytes.count else { return false }
        for index in bytes.indices where self[index] != bytes[index] { return false }
        return true
    }
}

extension String {
    /// The string without spaces and tabs at both ends.
    var trimmingBlanks: String {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var rest = utf8[...]
        while let first = rest.first, isBlank(first) { rest.removeFirst() }
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return String(Substring(rest))
    }
}
