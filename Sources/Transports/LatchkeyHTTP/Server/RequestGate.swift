/// Refuses requests that parsers interpret differently, before any other code reads them. libmicrohttpd accepts some of
/// them, and a proxy in front of it may read one as two requests (request smuggling).
struct RequestGate {
    private let limits: HTTPLimits
    private(set) var headers = HTTPHeaders()
    private var count = 0
    private var bytes = 0
    private var isMalformed = false

    init(_ limits: HTTPLimits) { self.limits = limits }

    /// Makes the gate refuse the request, because its head violates RFC 9112.
    mutating func markMalformed() { isMalformed = true }

    /// The verdict on the head of a request.
    enum Verdict: Equatable {
        /// - Parameter bodyLength: the value of `Content-Length`; 0 if there is none.
        case passes(bodyLength: Int)
        /// The status of the refusal. The connection is closed, because the start of the next request is unknown.
        case refused(status: Int)
    }

    /// Adds a header in its original form.
    mutating func add(name: Span<UInt8>, value: Span<UInt8>) {
        count += 1
        bytes += name.count + value.count
        guard count <= limits.headerCount, bytes <= limits.headers else { return }
        guard !name.isEmpty, name.allBytes({ $0.isTokenCharacter }),
            // Tabs are allowed. A line break can only come from a folded line (RFC 9112, section 5.2).
            value.allBytes({ $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") })
        else {
            isMalformed = true
            return
        }
        headers.add(
            unsafe name.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }, bytes: value)
    }

    /// The verdict after all headers were added.
    func verdict(method: String, target: HTTPTarget?, version: String) -> Verdict {
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else { return .refused(status: 505) }
        guard count <= limits.headerCount, bytes <= limits.headers else { return .refused(status: 431) }
        // The body has an unknown length. No known client sends such a body, but attackers use it for request
        // smuggling.
        guard headers.count(of: "transfer-encoding") == 0 else { return .refused(status: 411) }
        guard !isMalformed, target != nil, headers.count(of: "host") == 1, headers.count(of: "content-length") <= 1,
            headers.count(of: "authorization") <= 1, Self.isMethod(method)
        else { return .refused(status: 400) }
        guard let length = contentLength else { return .refused(status: 400) }
        if length > 0, method == "GET" || method == "HEAD" { return .refused(status: 400) }
        guard length <= limits.body else { return .refused(status: 413) }
        return .passes(bodyLength: length)
    }

    /// Whether the text may be a method: a token (RFC 9110, section 9.1), not longer than any registered method.
    static func isMethod(_ text: String) -> Bool {
        1...32 ~= text.utf8.count && text.utf8.allSatisfy(\.isTokenCharacter)
    }

    /// The value of the header; 0 without the header, nil if it is not a plain number. Clamped to `Int.max`.
    private var contentLength: Int? {
        guard headers.count(of: "content-length") == 1 else { return 0 }
        guard let text = headers["content-length"], !text.isEmpty,
            text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else { return nil }
        return Int(text) ?? .max
    }
}

extension Span<UInt8> {
    fileprivate func allBytes(_ isAllowed: (UInt8) -> Bool) -> Bool {
        for index in indices where !isAllowed(self[index]) { return false }
        return true
    }
}

extension UInt8 {
    /// Whether the byte is allowed in a method or a header name (RFC 9110, section 5.6.2).
    var isTokenCharacter: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }
}
