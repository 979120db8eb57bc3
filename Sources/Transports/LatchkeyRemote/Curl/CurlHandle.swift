import CCurl
import LatchkeySecrets
import LatchkeySystem

/// One transfer of libcurl's easy interface.
///
/// Not `Sendable`: one thread creates it, uses it and drops it. That thread must block SIGPIPE, as the threads of
/// ``WorkerThreads`` do: `CURLOPT_NOSIGNAL` leaves that signal to the caller.
@safe
final class CurlHandle {
    private let handle: UnsafeMutableRawPointer
    private var lists: [OwnedList] = []
    /// The first option that failed. It is reported by ``perform()``, so that setting options needs no `try`.
    private var failure = CURLE_OK

    /// Nil if no memory is left.
    ///
    /// - Parameter scheme: the only protocol that the transfer may use.
    init?(scheme: String, limits: TransferLimits) {
        guard Self.started, let handle = unsafe curl_easy_init() else { return nil }
        unsafe self.handle = unsafe handle
        set(CURLOPT_PROTOCOLS_STR, scheme)
        set(CURLOPT_NOSIGNAL, 1)
        // An empty text: libcurl reads no proxy from the environment.
        set(CURLOPT_PROXY, "")
        set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        if let authorities = limits.authorities { set(CURLOPT_CAINFO, authorities) }
        set(CURLOPT_CONNECTTIMEOUT_MS, limits.connect.wholeMilliseconds)
        set(CURLOPT_TIMEOUT_MS, limits.total.wholeMilliseconds)
        // Without this, dropping the handle waits for the look-up of a host that no name server answers.
        set(CURLOPT_QUICK_EXIT, 1)
        // The connection is closed at the end of the transfer, within the limits of this handle.
        set(CURLOPT_FORBID_REUSE, 1)
    }

    deinit { unsafe curl_easy_cleanup(handle) }

    /// `curl_global_init(3)`, once. libcurl's copies of secrets are wiped when it frees them.
    private static let started = latchkey_curl_start() == CURLE_OK

    // MARK: Options

    func set(_ option: CURLoption, _ number: Int) {
        note(unsafe latchkey_curl_set_number(handle, option, number))
    }

    /// - Parameter text: without NUL; libcurl copies it.
    func set(_ option: CURLoption, _ text: String) {
        note(unsafe latchkey_curl_set_text(handle, option, text))
    }

    /// - Parameter secret: without NUL; libcurl copies it.
    func set(_ option: CURLoption, _ secret: borrowing SecretText) {
        note(unsafe secret.withPointer { unsafe latchkey_curl_set_text(handle, option, $0) })
    }

    /// - Parameter list: stays alive as long as this handle.
    func set(_ option: CURLoption, _ list: OwnedList) {
        lists.append(list)
        note(unsafe latchkey_curl_set_list(handle, option, list.first))
    }

    /// Sets `option` to the address of bytes that libcurl does not copy: they must stay in place until the transfer
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

    /// The last status of HTTP or the last reply code of SMTP; 0 if there was none.
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

    /// Adds a copy of `text`, which must not contain NUL. Returns false if no memory is left.
    func append(_ text: borrowing SecretText) -> Bool { unsafe text.withPointer { unsafe append(pointer: $0) } }

    /// Adds a copy of `text`, which must not contain NUL. Returns false if no memory is left.
    func append(_ text: String) -> Bool { unsafe text.withCString { unsafe append(pointer: $0) } }

    private func append(pointer text: UnsafePointer<CChar>?) -> Bool {
        guard let longer = unsafe curl_slist_append(first, text) else { return false }
        unsafe first = unsafe longer
        return true
    }
}

/// A secret that ends in NUL, as C takes it.
struct SecretText: ~Copyable {
    private var bytes: SecretBytes

    /// - Parameter prefix: a string before the secret.
    /// - Returns: nil if a NUL would end the text early.
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
    /// At least 1, because libcurl takes 0 for its default.
    fileprivate var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        return max(1, Int(clamping: seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
    }
}
