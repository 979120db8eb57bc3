import CCurl
import LatchkeySecrets
import LatchkeySystem

/// One transfer of libcurl's easy interface.
///
/// Not `Sendable`: the same thread must create, use and release it. That thread must block SIGPIPE, because
/// `CURLOPT_NOSIGNAL` leaves that signal to the caller. The threads of ``WorkerThreads`` do this.
@safe
final class CurlHandle {
    private let handle: UnsafeMutableRawPointer
    private var lists: [OwnedList] = []
    /// The first option that failed. ``perform()`` reports it, so that setting options needs no `try`.
    private var failure = CURLE_OK

    /// Nil if there is not enough memory.
    ///
    /// - Parameter scheme: the only allowed protocol.
    init?(scheme: String, limits: TransferLimits) {
        guard Self.started, let handle = unsafe curl_easy_init() else { return nil }
        unsafe self.handle = unsafe handle
        set(CURLOPT_PROTOCOLS_STR, scheme)
        set(CURLOPT_NOSIGNAL, 1)
        // An empty string prevents libcurl from reading a proxy from the environment.
        set(CURLOPT_PROXY, "")
        set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        if let authorities = limits.authorities { set(CURLOPT_CAINFO, authorities) }
        set(CURLOPT_CONNECTTIMEOUT_MS, limits.connect.wholeMilliseconds)
        set(CURLOPT_TIMEOUT_MS, limits.total.wholeMilliseconds)
        // Otherwise, releasing the handle would wait for the look-up of a host that no name server answers.
        set(CURLOPT_QUICK_EXIT, 1)
        // The connection is closed at the end of the transfer, within this handle's limits.
        set(CURLOPT_FORBID_REUSE, 1)
    }

    deinit { unsafe curl_easy_cleanup(handle) }

    /// Whether `curl_global_init(3)` succeeded. It is called once. libcurl wipes its copies of secrets when it frees
    /// them.
    private static let started = latchkey_curl_start() == CURLE_OK

    // MARK: Options

    func set(_ option: CURLoption, _ number: Int) {
        note(unsafe latchkey_curl_set_number(handle, option, number))
    }

    /// - Parameter text: a string without NUL, which libcurl copies.
    func set(_ option: CURLoption, _ text: String) {
        note(unsafe latchkey_curl_set_text(handle, option, text))
    }

    /// - Parameter secret: a secret without NUL, which libcurl copies.
    func set(_ option: CURLoption, _ secret: borrowing SecretText) {
        note(unsafe secret.withPointer { unsafe latchkey_curl_set_text(handle, option, $0) })
    }

    /// - Parameter list: a list that must stay alive as long as this handle.
    func set(_ option: CURLoption, _ list: OwnedList) {
        lists.append(list)
        note(unsafe latchkey_curl_set_list(handle, option, list.first))
    }

    /// Sets `option` to the address of bytes that libcurl does not copy. They must stay in place until the transfer
    /// ends.
    @unsafe
    func set(_ option: CURLoption, borrowing bytes: UnsafePointer<CChar>?) {
        note(unsafe latchkey_curl_set_text(handle, option, bytes))
    }

    /// Sets a function with its context, which must stay alive until the transfer ends.
    @unsafe
    func set(
        _ function: CURLoption, _ callback: @escaping latchkey_curl_callback, _ data: CURLoption,
        _ context: UnsafeMutableRawPointer
    ) {
        note(unsafe latchkey_curl_set_callback(handle, function, callback, data, context))
    }

    /// Sets the function that libcurl calls at least once a second. Its context must stay alive until the transfer
    /// ends.
    @unsafe
    func set(progress: @escaping latchkey_curl_progress, _ context: UnsafeMutableRawPointer) {
        note(unsafe latchkey_curl_set_progress(handle, progress, context))
    }

    private func note(_ code: CURLcode) {
        if failure == CURLE_OK { failure = code }
    }

    // MARK: The transfer

    /// Runs the transfer on the calling thread.
    func perform() -> CURLcode {
        guard failure == CURLE_OK else { return failure }
        return unsafe curl_easy_perform(handle)
    }

    /// The last HTTP status or SMTP reply code; 0 if there was none.
    var responseCode: Int { unsafe latchkey_curl_response_code(handle) }

    /// The `Content-Type` of an HTTP response.
    var contentType: String? {
        guard let type = unsafe latchkey_curl_content_type(handle) else { return nil }
        return unsafe String(validatingCString: type)
    }
}

/// A linked list of strings for libcurl.
@safe
final class OwnedList {
    fileprivate private(set) var first: UnsafeMutablePointer<curl_slist>?

    init() {}

    deinit { unsafe curl_slist_free_all(first) }

    /// Adds a copy of `text`, which must not contain NUL. Returns false if there is not enough memory.
    func append(_ text: borrowing SecretText) -> Bool { unsafe text.withPointer { unsafe append(pointer: $0) } }

    /// Adds a copy of `text`, which must not contain NUL. Returns false if there is not enough memory.
    func append(_ text: String) -> Bool { unsafe text.withCString { unsafe append(pointer: $0) } }

    private func append(pointer text: UnsafePointer<CChar>?) -> Bool {
        guard let longer = unsafe curl_slist_append(first, text) else { return false }
        unsafe first = unsafe longer
        return true
    }
}

/// A secret as a C string, which ends with NUL.
struct SecretText: ~Copyable {
    private var bytes: SecretBytes

    /// - Parameter prefix: a string to put before the secret.
    /// - Returns: nil if a NUL in the secret would truncate the text.
    init?(_ secret: Secret, after prefix: String = "") {
        bytes = SecretBytes(capacity: prefix.utf8.count + secret.count + 1)
        let isWhole = secret.withBytes { secret in
            secret.indices.allSatisfy { secret[$0] != 0 } && bytes.append(prefix.utf8Span.span)
                && bytes.append(secret) && bytes.append(0)
        }
        guard isWhole else { return nil }
    }

    fileprivate borrowing func withPointer<Result>(_ body: (UnsafePointer<CChar>?) -> Result) -> Result {
        bytes.withBytes { bytes in
            unsafe bytes.withUnsafeBufferPointer { bytes in
                unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe body($0.baseAddress) }
            }
        }
    }
}

extension TransferFailure {
    /// The failure for a `CURLcode` other than `CURLE_OK`.
    init(_ code: CURLcode) {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR,
            CURLE_PARTIAL_FILE:
            self = .unreachable
        case CURLE_PEER_FAILED_VERIFICATION: self = .certificate
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED: self = .unencrypted
        case CURLE_OPERATION_TIMEDOUT: self = .timedOut
        case CURLE_FILESIZE_EXCEEDED: self = .tooLarge
        case CURLE_OUT_OF_MEMORY: self = .exhausted
        default: self = .failed(code: Int32(bitPattern: code.rawValue))
        }
    }
}

extension Duration {
    /// The duration in milliseconds. At least 1, because 0 means the default for libcurl.
    fileprivate var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        return max(1, Int(clamping: seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
    }
}
