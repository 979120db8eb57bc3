package import LatchkeyForms
import LatchkeyHTTP
package import LatchkeySecrets
import LatchkeyWeb

/// The values of a form in a request, sent as JSON or submitted by a browser.
package struct Submission: Sendable {
    /// The reason why a body is not a valid submission. The sender does not know the form, so it is not one of our
    /// pages.
    package enum Failure: Error, Equatable, Sendable {
        case malformed
        /// A member next to `values`.
        case unknownMember(String)
        case unknownField(String)
        case wrongType(field: String)
        case duplicateField(String)
    }

    /// The values of the request, unchecked.
    package private(set) var values: [FieldKey: FieldInput] = [:]

    /// Parses `{"values":{"username":"ada","password":"…"}}`.
    package init(json body: Secret, for form: Form) throws(Failure) {
        var failure: Failure?
        var values: [FieldKey: FieldInput] = [:]
        var count = 0
        let isRead = body.withBytes { bytes in
            guard (try? UTF8Span(validating: bytes)) != nil else { return false }
            var scratch = JSONScratch()
            do throws(JSONScanner.Failure) {
                try JSONScanner.object(in: bytes) { (scanner, key) throws(JSONScanner.Failure) in
                    guard key.isWritten(Self.valuesKey, in: bytes) else {
                        failure = failure ?? .unknownMember((try? key.text(in: bytes)) ?? "")
                        return try scanner.skip(in: bytes, depth: 1)
                    }
                    count += 1
                    let areValid = try scanner.values(in: bytes) { key, value in
                        let name = (try? key.text(in: bytes)) ?? ""
                        failure = failure ?? Self.add(value, named: name, of: form, to: &values, bytes, &scratch)
                        return true
                    }
                    if !areValid { failure = failure ?? .malformed }
                }
                return true
            } catch {
                return error.isLate && failure != nil
            }
        }
        guard isRead, count == 1 else { throw .malformed }
        if let failure { throw failure }
        self.values = values
    }

    private static func add(
        _ value: JSONFieldValue, named name: String, of form: Form, to values: inout [FieldKey: FieldInput],
        _ bytes: Span<UInt8>, _ scratch: inout JSONScratch
    ) -> Failure? {
        guard let field = form.field(named: name) else { return .unknownField(name) }
        let key = field.apiKey
        guard values[key] == nil else { return .duplicateField(name) }
        guard value.suits(field.kind) else { return .wrongType(field: name) }
        switch value {
        case .string(let string):
            let isText = scratch.withText(of: string, in: bytes) { values[key] = .bytes(Secret(copying: $0.span)) }
            return isText ? nil : .malformed
        case .boolean(let isTrue): values[key] = .boolean(isTrue)
        case .list(let texts): values[key] = .list(texts)
        }
        return nil
    }

    // MARK: Submissions from browsers

    /// The page to return to, as submitted by the page. It is not validated.
    package private(set) var returnTo: String?
    /// The invitation with which the page was opened. It is not validated.
    package var invitation: String?
    /// The account that the link in a message named, for password managers. It is not validated.
    package private(set) var account: String?
    /// Whether the message that is requested again belongs to a sign-up.
    package private(set) var isSignUp = false

    /// Whether the person asks for another message.
    package private(set) var isAgain = false

    /// Whether the second factor is a saved code, on a page with a form for each factor.
    package private(set) var isSavedCode = false

    /// Reads `username=ada&password=…` (the form content type of HTML). A name may occur several times for a list, and
    /// twice for a box, which has a hidden field with `false` before it; otherwise once.
    package init(urlEncoded body: Secret, for form: Form) throws(Failure) {
        guard let pairs = Self.secretPairs(body) else { throw .malformed }
        for (name, value) in pairs {
            let key = FieldKey(rawValue: name)
            guard let field = form.field(key) else {
                switch name {
                case "return" where returnTo == nil: returnTo = value.textIfValid ?? ""
                case "invitation" where invitation == nil: invitation = value.textIfValid ?? ""
                case "account" where account == nil: account = value.textIfValid ?? ""
                case CheckEmailPage.signUpField: isSignUp = true
                case CheckEmailPage.againField: isAgain = true
                case FormPage.savedCodeField: isSavedCode = true
                // Only a page of the administration reads it.
                case FormPage.versionField: break
                case "return", "invitation", "account": throw .duplicateField(name)
                default: throw .unknownField(name)
                }
                continue
            }
            switch (field.kind, values[key]) {
            case (.boolean, nil), (.boolean, .boolean(false)):
                values[key] = .boolean(value.textIfValid == "true")
            case (.choices, let before):
                var list: [String] = if case .list(let values)? = before { values } else { [] }
                // An empty value comes from the hidden field, which shows that the page had checkboxes.
                if !value.isEmpty { list.append(value.textIfValid ?? "\u{FFFD}") }
                values[key] = .list(list)
            case (_, nil): values[key] = .bytes(value)
            default: throw .duplicateField(name)
            }
        }
    }

    /// A value in a body without secrets; nil if it is missing or there are several, or if the body is malformed.
    static func value(of name: String, in body: Secret) -> String? {
        let values = secretPairs(body)?.filter { $0.name == name } ?? []
        return values.count == 1 ? values[0].value.textIfValid ?? "" : nil
    }

    /// The decoded names and values of a form; nil if the body is malformed.
    static func secretPairs(_ body: Secret) -> [(name: String, value: Secret)]? {
        body.withBytes { bytes in
            var pairs: [(name: String, value: Secret)] = []
            var start = 0
            while start < bytes.count {
                var end = start
                while end < bytes.count, bytes[end] != UInt8(ascii: "&") { end += 1 }
                var middle = start
                while middle < end, bytes[middle] != UInt8(ascii: "=") { middle += 1 }
                guard let name = PercentEncoding.decoded(secret: bytes.extracting(start..<middle))?.textIfValid,
                    let value = PercentEncoding.decoded(secret: bytes.extracting(min(middle + 1, end)..<end)),
                    pairs.count < mostPairs
                else { return nil }
                pairs.append((name, value))
                start = end + 1
            }
            return pairs
        }
    }

    /// The maximum number of pairs, more than a form with 64 fields and their checkboxes sends.
    private static let mostPairs = 1024

    private static let valuesKey = Array("values".utf8)
}
