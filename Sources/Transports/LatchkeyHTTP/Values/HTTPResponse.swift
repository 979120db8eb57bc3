package import LatchkeySecrets

/// The response to a request.
package struct HTTPResponse: Sendable {
    /// The status code (RFC 9110, section 15).
    package var status: Int
    /// The headers, in order. Names and values must not contain control characters. The server adds `Date`,
    /// `Connection` and `Content-Length`.
    package var headers: [(name: String, value: String)]
    /// The content.
    package var body: Body
    /// The template of the matched route, such as `/sessions/{id}`, for the log; nil if there is none.
    package var route: String?
    /// A stable code for the log that explains a failure; nil if the status is enough.
    package var problem: String?
    /// Whether the server closes the connection after the response.
    package var closes = false

    /// The content of a response.
    package enum Body: Sendable {
        /// Bytes that are not secret.
        case bytes([UInt8])
        /// Bytes with a secret, which are wiped after they are sent.
        case secret(Secret)
    }

    /// Creates a response.
    package init(status: Int, headers: [(name: String, value: String)] = [], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Creates a text response with the given media type.
    package init(status: Int, _ text: String, as mediaType: String) {
        self.init(status: status, headers: [("Content-Type", mediaType)], body: .bytes(Array(text.utf8)))
    }

    /// The reason phrase of a refusal (RFC 9110, section 15; RFC 6585).
    package static func reason(of status: Int) -> String {
        switch status {
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 409: "Conflict"
        case 411: "Length Required"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 503: "Service Unavailable"
        case 505: "HTTP Version Not Supported"
        default: "Refused"
        }
    }

    /// The value of the header with exactly this name; nil if there is none.
    package subscript(name: String) -> String? { headers.first { $0.name == name }?.value }

    /// Adds a header.
    package mutating func add(_ name: String, _ value: String) { headers.append((name, value)) }

    /// Replaces the headers with exactly this name.
    package mutating func set(_ name: String, _ value: String) {
        headers.removeAll { $0.name == name }
        add(name, value)
    }

    /// A copy of the response with one more header.
    package func adding(_ name: String, _ value: String) -> HTTPResponse {
        var response = self
        response.add(name, value)
        return response
    }
}
