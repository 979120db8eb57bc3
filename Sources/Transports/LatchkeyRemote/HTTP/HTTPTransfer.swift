import CCurl
import LatchkeySecrets

/// One HTTP request. It follows no redirects and uses no proxy.
struct HTTPTransfer: Sendable {
    enum Method: String {
        case get = "GET"
        case post = "POST"
        case delete = "DELETE"
    }

    /// A response with any status.
    struct Response: Sendable {
        let status: Int
        /// The media type in lower case, without parameters.
        let type: String
        let body: Secret
    }

    /// The only protocol of the request: `https` or `http`.
    let scheme: String
    let url: String
    /// The Unix socket to connect to; nil for the host in the URL.
    var socket: String?
    let method: Method
    /// The token to send as `Authorization: Bearer`; nil for none.
    var token: Secret?
    /// The device's token to send as `Latchkey-Device`; nil for none.
    var device: Secret?
    let body: Secret?
    /// The media type of the body.
    var type = "application/json"
    let agent: String
    let limits: TransferLimits

    /// Runs the request on the calling thread.
    func run() throws(TransferFailure) -> Response {
        guard let handle = CurlHandle(scheme: scheme, limits: limits), let headers = headers() else {
            throw .exhausted
        }
        handle.set(CURLOPT_URL, url)
        if let socket { handle.set(CURLOPT_UNIX_SOCKET_PATH, socket) }
        handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        handle.set(CURLOPT_USERAGENT, agent)
        handle.set(CURLOPT_HTTPHEADER, headers)
        handle.set(CURLOPT_CUSTOMREQUEST, method.rawValue)
        let receiver = ResponseReceiver(limit: limits.responseBytes)
        let code = (body ?? Secret(SecretBytes(capacity: 0))).withBytes { body in
            unsafe body.withUnsafeBufferPointer { body in
                unsafe body.withMemoryRebound(to: CChar.self) { bytes in
                    if self.body != nil {
                        handle.set(CURLOPT_POSTFIELDSIZE, bytes.count)
                        unsafe handle.set(CURLOPT_POSTFIELDS, borrowing: bytes.baseAddress)
                    }
                    return withExtendedLifetime(receiver) {
                        let context = unsafe Unmanaged.passUnretained(receiver).toOpaque()
                        unsafe handle.set(CURLOPT_WRITEFUNCTION, Self.takeBody, CURLOPT_WRITEDATA, context)
                        unsafe handle.set(CURLOPT_HEADERFUNCTION, Self.takeHeader, CURLOPT_HEADERDATA, context)
                        return handle.perform()
                    }
                }
            }
        }
        if receiver.isFull { throw .tooLarge }
        guard code == CURLE_OK else { throw TransferFailure(code) }
        let type = (handle.contentType ?? "").prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        return Response(status: handle.responseCode, type: type, body: receiver.takeBody())
    }

    /// The request headers; nil if there is not enough memory.
    private func headers() -> OwnedList? {
        let list = OwnedList()
        guard list.append("Accept: application/json, application/problem+json") else { return nil }
        if body != nil, !list.append("Content-Type: " + type) { return nil }
        if let token {
            guard let line = SecretText(token, after: "Authorization: Bearer "), list.append(line) else { return nil }
        }
        if let device {
            guard let line = SecretText(device, after: "Latchkey-Device: "), list.append(line) else { return nil }
        }
        return list
    }

    private static let takeBody: latchkey_curl_callback = { bytes, size, count, context in
        guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
        let receiver = unsafe Unmanaged<ResponseReceiver>.fromOpaque(context).takeUnretainedValue()
        let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
        return unsafe receiver.append(buffer.bindMemory(to: UInt8.self).span) ? size * count : 0
    }

    private static let takeHeader: latchkey_curl_callback = { _, size, count, context in
        guard let context = unsafe context else { return 0 }
        let receiver = unsafe Unmanaged<ResponseReceiver>.fromOpaque(context).takeUnretainedValue()
        return receiver.countHeader(size * count) ? size * count : 0
    }
}

/// Receives a response in locked memory, because it may contain a token. Only the thread of the transfer uses it.
private final class ResponseReceiver {
    /// Whether the response was cut off because it was too large.
    private(set) var isFull = false
    private var body: SecretBytes
    private var headerRoom: Int

    init(limit: Int) {
        body = SecretBytes(capacity: limit)
        headerRoom = limit
    }

    func append(_ bytes: Span<UInt8>) -> Bool {
        if !body.append(bytes) { isFull = true }
        return !isFull
    }

    func countHeader(_ count: Int) -> Bool {
        headerRoom -= count
        if headerRoom < 0 { isFull = true }
        return !isFull
    }

    func takeBody() -> Secret {
        var taken = SecretBytes(capacity: 0)
        swap(&taken, &body)
        return Secret(taken)
    }
}
