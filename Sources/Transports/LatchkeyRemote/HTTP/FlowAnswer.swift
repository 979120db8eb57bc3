import LatchkeyFlows
import LatchkeyForms
import LatchkeySecrets

/// A service's response to a call, with the tokens of a new session, of the device, and of a login that waits for its
/// second factor.
struct FlowAnswer {
    let response: NetworkResponse
    /// The session token. It is never a `String`, from the received bytes on.
    let token: Secret?
    /// The token that the device must store; nil if it stores none.
    let device: Secret?
    /// The token for the second factor; nil if no factor is required.
    let pending: Secret?

    /// Parses a response. Nil if it is unknown to this version or contradicts itself.
    ///
    /// - Parameters:
    ///   - bytes: the body of the response.
    ///   - status: the HTTP status.
    ///   - call: the flow that was called.
    init?(_ bytes: Span<UInt8>, status: Int, to call: AccountType) {
        guard (try? UTF8Span(validating: bytes)) != nil, let members = Members(bytes),
            let code = members.code, members.isOK == (code.status < 400),
            members.status == status, code.answers(with: status)
        else { return nil }
        token = members.secrets["token"]
        device = members.secrets["device"]
        pending = members.secrets["pending"]
        if call.traits.session == .begins, code == .success || (call == .login && code == .changeRequired), token == nil
        {
            return nil
        }
        if code == .factorRequired || code == .enrolmentRequired, pending == nil { return nil }
        guard let response = Self.response(code, members) else { return nil }
        self.response = response
    }

    private static func response(_ code: NetworkResponse.Code, _ members: Members) -> NetworkResponse? {
        switch code {
        case .success:
            .success(members.account, failedLogins: members.failedLogins)
                .disclosing(members.savedCodes.map { .savedCodes($0) })
        case .codeSent: .codeSent(members.account)
        case .enrolmentStarted: members.authenticator.map { .enrolmentStarted($0) }
        case .passwordReset: .passwordReset
        case .changeRequired: .changeRequired(members.account, failedLogins: members.failedLogins)
        case .invalidCredentials, .noSession, .reauthenticationRequired, .factorRequired, .enrolmentRequired,
            .factorExists:
            .refused(code)
        case .taken, .validationFailed, .invalidCode: .refused(code, members.failures)
        case .throttled: members.retryAfter.map { .throttled(retryAfter: .seconds($0)) }
        case .internal, .unavailable, .noMemory, .noRandomness, .blocklistUnusable, .storageFailed, .storeFull,
            .storeReadOnly, .storeCorrupt:
            .unavailable(code)
        }
    }

    /// The members of a response that this version knows. Other members are skipped.
    private struct Members {
        private(set) var isOK = false
        private(set) var status = 0
        private(set) var code: NetworkResponse.Code?
        private(set) var account: AccountSummary?
        private(set) var failedLogins: FailedLoginsSummary?
        private(set) var failures: [RuleFailure] = []
        private(set) var retryAfter: Int?
        /// The secret members, those in ``secretNames``.
        private(set) var secrets: [String: Secret] = [:]
        private(set) var savedCodes: [Secret]?

        /// The name of the member with an array of secrets.
        private static let savedCodesName = "saved_codes"
        private static let tokenNames = ["token", "device", "pending"]
        private static let secretNames = tokenNames + ["uri", "secret"]
        private static let namesInBytes =
            (["ok", "status", "code", "account", "failed_logins", "errors", "retry_after", savedCodesName] + secretNames)
            .map { (text: $0, bytes: Array($0.utf8)) }
        /// The maximum number of saved codes, more than an account has.
        private static let mostSavedCodes = 100

        /// The set-up data of an authenticator app; nil if a part is missing.
        var authenticator: FactorDisclosure? {
            guard let uri = secrets["uri"], let secret = secrets["secret"] else { return nil }
            return .authenticator(uri: uri, secret: secret)
        }

        /// Nil if the bytes are not an object, or if a known member occurs twice or has the wrong type.
        ///
        /// - Parameter bytes: must be valid UTF-8.
        init?(_ bytes: Span<UInt8>) {
            var ranges: [String: Range<Int>] = [:]
            var strings: [String: JSONString] = [:]
            var codes: [JSONString] = []
            do throws(JSONScanner.Failure) {
                try JSONScanner.object(in: bytes) { (scanner, key) throws(JSONScanner.Failure) in
                    let start = scanner.offset
                    guard let name = Self.namesInBytes.first(where: { key.isWritten($0.bytes, in: bytes) })?.text else {
                        return try scanner.skip(in: bytes, depth: 1)
                    }
                    guard ranges[name] == nil else { throw scanner.failure(.duplicateKey(name)) }
                    if Self.secretNames.contains(name) {
                        guard scanner.next(in: bytes) == UInt8(ascii: "\"") else { throw scanner.unexpected(in: bytes) }
                        strings[name] = try scanner.string(in: bytes)
                    } else if name == Self.savedCodesName {
                        guard scanner.next(in: bytes) == UInt8(ascii: "[") else { throw scanner.unexpected(in: bytes) }
                        try scanner.elements(in: bytes, depth: 1) { (scanner) throws(JSONScanner.Failure) in
                            guard scanner.next(in: bytes) == UInt8(ascii: "\""), codes.count < Self.mostSavedCodes
                            else {
                                throw scanner.unexpected(in: bytes)
                            }
                            codes.append(try scanner.string(in: bytes))
                        }
                    } else {
                        try scanner.skip(in: bytes, depth: 1)
                    }
                    ranges[name] = start..<scanner.offset
                }
            } catch {
                return nil
            }
            var values: [String: JSONValue] = [:]
            for (name, range) in ranges where !Self.secretNames.contains(name) && name != Self.savedCodesName {
                guard let node = try? JSONReader.read(bytes.extracting(range)) else { return nil }
                values[name] = node.value
            }
            guard case .bool(let isOK)? = values["ok"], let status = values["status"]?.integer,
                let code = values["code"]?.string
            else { return nil }
            self.isOK = isOK
            self.status = status
            self.code = NetworkResponse.Code(rawValue: code)
            guard read(values) else { return nil }
            for (name, string) in strings {
                guard let secret = Self.secret(string, in: bytes) else { return nil }
                if Self.tokenNames.contains(name), !secret.fitsIntoHeader { return nil }
                secrets[name] = secret
            }
            guard ranges[Self.savedCodesName] != nil else { return }
            savedCodes = codes.compactMap { Self.secret($0, in: bytes) }
            if savedCodes?.count != codes.count { return nil }
        }

        /// Reads the members that are not secret. Returns false if one of them is invalid.
        private mutating func read(_ values: [String: JSONValue]) -> Bool {
            if let json = values["account"] {
                account = AccountSummary(json: json)
                if account == nil { return false }
            }
            if let json = values["failed_logins"] {
                failedLogins = FailedLoginsSummary(json: json)
                if failedLogins == nil { return false }
            }
            if let json = values["errors"] {
                guard let elements = json.elements else { return false }
                failures = elements.compactMap(RuleFailure.init(json:))
                if failures.count != elements.count { return false }
            }
            if let json = values["retry_after"] {
                guard let seconds = json.integer, 0...Self.longestWait ~= seconds else { return false }
                retryAfter = seconds
            }
            return true
        }

        /// The maximum wait in seconds: a hundred years.
        private static let longestWait = 3_155_760_000

        /// Reads a secret; nil unless it is printable ASCII.
        private static func secret(_ token: JSONString, in bytes: Span<UInt8>) -> Secret? {
            // An escape is never shorter than the character that it represents.
            guard 1...(6 * HTTPNetworking.longestToken) ~= token.range.count else { return nil }
            var decoded = SecretBytes(capacity: token.range.count)
            do throws(JSONScanner.Failure) {
                try token.decode(in: bytes) { _ = decoded.append($0) }
            } catch {
                return nil
            }
            let secret = Secret(decoded)
            return secret.withBytes { bytes in bytes.indices.allSatisfy { 0x20...0x7E ~= bytes[$0] } } ? secret : nil
        }
    }
}

extension NetworkResponse.Code {
    /// Whether a response with this code has this HTTP status. A service reports its own faults as 503.
    fileprivate func answers(with status: Int) -> Bool {
        status == self.status || (status == 503 && (self.status == 500 || self.status == 507))
    }
}

extension Secret {
    /// Whether the token is valid in a header: 1 to 512 visible ASCII characters.
    var fitsIntoHeader: Bool {
        withBytes { bytes in
            1...HTTPNetworking.longestToken ~= bytes.count && bytes.indices.allSatisfy { 0x21...0x7E ~= bytes[$0] }
        }
    }
}
