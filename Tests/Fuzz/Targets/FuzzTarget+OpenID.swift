import LatchkeyForms
import LatchkeyOpenID
import LatchkeyPublicKeys
import LatchkeySecrets

extension FuzzTarget {
    /// A registered URI, a newline and a requested URI.
    static let redirectURI = FuzzTarget("redirect-uri", upTo: 2_200) { bytes in
        let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        let text = Array(parts[0]).repairedText
        let requested = parts.count > 1 ? Array(parts[1]).repairedText : text
        guard let uri = try? RedirectURI(text, allowing: RedirectURI.Exceptions(allowsHTTP: true)) else { return nil }
        if !uri.text.utf8.elementsEqual(text.utf8) { return "a URI is changed" }
        if !text.utf8.allSatisfy({ 0x21..<0x7F ~= $0 }) { return "a URI with other than visible ASCII characters" }
        if text.utf8.contains(where: { "\\#*<>\"^`{|}".utf8.contains($0) }) { return "a URI with a refused character" }
        if !uri.matches(text, isPublic: false) { return "a URI does not match itself" }
        for isPublic in [false, true] where uri.matches(requested, isPublic: isPublic) {
            if uri.isIdentical(to: requested) { continue }
            guard let other = try? RedirectURI(requested) else { return "a URI matches that cannot be registered" }
            if !isLoopback(requested, isPublic) { return "another URI matches, not on this machine" }
            let port = requested.utf8.count - text.utf8.count
            if !(2...6 ~= port) { return "two URIs differ in more than the port" }
            if uri.matches(requested, isPublic: false), !other.matches(requested, isPublic: false) { return "no match" }
        }
        return nil
    }

    private static func isLoopback(_ uri: String, _ isPublic: Bool) -> Bool {
        (["127.0.0.1", "[::1]"] + (isPublic ? ["localhost"] : [])).contains { uri.hasPrefix("http://\($0):") }
    }

    /// The query of an authorization request.
    static let authorizationRequest = FuzzTarget("authorization-request", upTo: 5_000) { bytes in
        let pairs = pairs(bytes)
        do throws(AuthorizationError) {
            let unchecked = try UncheckedAuthorizationRequest(pairs)
            let request = try unchecked.checked(redirectURIs: registered, isPublic: false, requiresChallenge: false)
            guard let read = AuthorizationRequest(encoded: request.encoded) else { return "the stored form is refused" }
            if !read.encoded.utf8.elementsEqual(request.encoded.utf8) { return "the stored form has another value" }
            if request.prompt.contains(.none), request.prompt != .none { return "none with another prompt" }
            return finding(request.target, pairs)
        } catch {
            guard case .redirect(let target, let failure) = error else { return nil }
            let isASCII = failure.description.utf8.allSatisfy { 0x20..<0x7F ~= $0 }
            if !isASCII { return "a description is not ASCII" }
            return finding(target, pairs)
        }
    }

    private static let registered = ["https://wiki.example.org/cb", "http://127.0.0.1/cb?x=1"].compactMap {
        try? RedirectURI($0)
    }

    /// A response goes to a registered URI, and returns the only state of the request.
    private static func finding(_ target: ResponseTarget, _ pairs: [(name: String, value: String)]) -> String? {
        guard registered.contains(where: { $0.matches(target.redirectURI, isPublic: false) }) else {
            return "a redirect to an unregistered URI"
        }
        let response = AuthorizationResponse(code: "C", to: target, issuer: "https://accounts.example.org")
        guard response.location.utf8.starts(with: target.redirectURI.utf8) else { return "a changed redirect URI" }
        let added = Array(response.location.utf8.dropFirst(target.redirectURI.utf8.count + 1))
        let returned = Self.pairs(added).map { ($0.name, Array($0.value.utf8)) }
        let expected = response.parameters.map { ($0.name, Array($0.value.utf8)) }
        guard returned.elementsEqual(expected, by: ==) else { return "a client reads other parameters" }
        let states = pairs.filter { $0.name == "state" }.map(\.value)
        if let state = target.state, states.count != 1 || !states[0].utf8.elementsEqual(state.utf8) {
            return "a state that the request has not"
        }
        return nil
    }

    private static func pairs(_ query: [UInt8]) -> [(name: String, value: String)] {
        query.split(separator: UInt8(ascii: "&")).map { pair in
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? PercentEncoding.decoded(query: parts[1]).text : ""
            return (PercentEncoding.decoded(query: parts[0]).text, value)
        }
    }

    /// The value of an `Authorization` header, a newline and a body without encoding.
    static let clientAuthentication = FuzzTarget("client-authentication", upTo: 1_000) { bytes in
        let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        let header = Array(parts[0])
        let body = (parts.count > 1 ? pairs(Array(parts[1])) : []).map { name, value in
            (name: name, value: Secret(copying: value.utf8Span.span))
        }
        let authorization = header.isEmpty ? nil : Secret(copying: header.span)
        guard let request = try? TokenRequest(body, authorization: authorization) else { return nil }
        let client = request.client
        if (client.secret == nil) != (client.method == .none) { return "a method without a secret" }
        if client.method == .basic, authorization == nil { return "a header that the request has not" }
        if client.method == .basic, body.contains(where: { $0.name == "client_secret" && !$0.value.isEmpty }) {
            return "two methods"
        }
        for name in ["client_id", "grant_type", "code", "refresh_token", "device_code", "redirect_uri"] {
            if body.filter({ $0.name == name }).count > 1 { return "\(name) occurs twice" }
        }
        return nil
    }

    /// A signed token. The fuzzer cannot sign, so that no object other than those of the seeds is verified.
    static let jws = FuzzTarget("jws", upTo: 9_000) { bytes in
        let token = bytes.repairedText
        guard let payload = try? JWS.verify(token, type: IDToken.type, keys: jwsKeys) else { return nil }
        guard payload["sub"] == .string("seed") else { return "an object that nobody signed" }
        if token.utf8.contains(where: { !($0.isUnreserved && $0 != UInt8(ascii: "~")) }) { return "not base64url" }
        return nil
    }

    private static let jwsKeys: [VerificationKey] = [
        ("e", SigningAlgorithm.es256, curveKey), ("r", .rs256, rsaKey),
    ].compactMap { kid, algorithm, text in
        Hexadecimal.bytes(of: text).flatMap { PublicKey(algorithm: algorithm, bytes: $0) }
            .map { VerificationKey(kid: kid, publicKey: $0) }
    }

    private static let curveKey = """
        0468c67692ca7a3f2166ed02861a9124da7c29f43743290fd8f4a85253adcc4959d008e84cf73d483c6e936d6a76cea374cb\
        73e457bc5ff53d048cf926d266e62e
        """
    private static let rsaKey = """
        3082010a0282010100e2c6a1d8c60fd5611a493ab420ecc636ef6d8e156f11aec3d288ac85cf1f1b6eb01db3d382dc4f1e09\
        69b617049e2c000280107d41e17db02b659b3af17751b985ec9f80645905a1bc728c0155d9d48c7efbc143a3f918ce45fe8f\
        a137a6c07aec638b71766f9ffb264747ee8645f1a087e3ce46dd6d21f489293922cd1114cd5d3856720f04f3063b26651d66\
        fe0973e01e277608e0384e2ba4b6fe63ece63072982f0c27bb45f2e0aea5e2758ef41ff50f0c8669186795838ba8d173dcc9\
        88e56b94b5e80480635041ff708b0933245f7c010f53249c294ad0b6193fb643a421b33f88ddcaee61707462b1b0e08ae9f0\
        ffa464a830c89bf977e37e54fc4cd10203010001
        """

    static let userCode = FuzzTarget("user-code", upTo: 200) { bytes in
        guard let code = UserCode(typed: Secret(copying: bytes.span)) else { return nil }
        let letters = code.symbols.withBytes { symbols in symbols.indices.map { symbols[$0] } }
        if letters.count != UserCode.count || !letters.allSatisfy(UserCode.alphabet.contains) { return "not a code" }
        let text = code.text
        guard let again = UserCode(typed: Secret(copying: text.utf8Span.span)) else { return "a shown code is refused" }
        return again.symbols.isEqual(to: code.symbols) ? nil : "a shown code is another"
    }
}
