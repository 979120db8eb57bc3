import LatchkeyAccounts
import LatchkeySecrets
import LatchkeyText

extension FuzzTarget {
    /// A pattern, a newline and the string to match.
    static let pattern = FuzzTarget("pattern", upTo: 5_000) { bytes in
        let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        let source = Array(parts[0]).repairedText
        let text = parts.count > 1 ? Array(parts[1]).repairedText : ""
        if let pattern = try? Pattern(source) {
            if source.utf8.count > Pattern.maximumSourceBytes { return "a source that is too long" }
            let matches = pattern.matchesWhole(text.utf8Span)
            if matches != pattern.matchesWhole(text.utf8Span) { return "two verdicts on one text" }
            if matches && text.utf8.count > Pattern.maximumTextBytes { return "a text that is too long matches" }
        }
        guard text.utf8.count < 200, let every = try? Pattern(everyScalarIn: source), let one = try? Pattern(source)
        else {
            return nil
        }
        let each = text.unicodeScalars.allSatisfy { one.matchesWhole(String($0).utf8Span) }
        return every.matchesWhole(text.utf8Span) == each ? nil : "the whole is judged otherwise than its scalars"
    }

    static let normalization = FuzzTarget("normalization", upTo: 1_200) { bytes in
        let text = bytes.repairedText
        let once = Normalization.nfc(text.utf8Span)
        if !Normalization.nfc(once.utf8Span).utf8.elementsEqual(once.utf8) { return "NFC of NFC is another" }
        // The standard library has a newer version of Unicode, in which scalars assigned since then may compose.
        if OpaqueString.violation(in: text.utf8Span) == nil, once != text { return "NFC is not what was normalised" }
        let password = Secret(copying: text.utf8Span.span)
        guard let prepared = try? OpaqueString.prepared(password) else {
            return text.utf8.count > OpaqueString.maximumByteCount ? nil : "a text that cannot be verified"
        }
        guard prepared.count <= OpaqueString.maximumByteCount else { return nil }
        guard let again = try? OpaqueString.prepared(prepared), again.isEqual(to: prepared) else {
            return "what is prepared is prepared to something else"
        }
        return prepared.withBytes { bytes in
            guard let prepared = try? UTF8Span(validating: bytes) else { return "what is prepared is no UTF-8" }
            if OpaqueString.violation(in: text.utf8Span) == nil, OpaqueString.violation(in: prepared) != nil {
                return "what may be set is refused when it is prepared"
            }
            if OpaqueString.scalarCount(of: prepared) != OpaqueString.scalarCount(of: text.utf8Span) {
                return "two lengths of one password"
            }
            let folded = (try? OpaqueString.caseFolded(word: prepared)) ?? []
            let asSecret = try? OpaqueString.caseFolded(Secret(copying: prepared.span))
            return asSecret?.withBytes { secret in secret.indices.map { secret[$0] } } == folded
                ? nil : "a secret and a word fold to two texts"
        }
    }

    static let identifiers = FuzzTarget("identifiers", upTo: 400) { bytes in
        let text = bytes.repairedText
        if let name = try? Username(text) {
            guard let again = try? Username(name.prepared), again == name else { return "a name is not its own name" }
            if name.prepared.utf8.isEmpty || name.prepared.utf8.contains(UInt8(ascii: "@")) { return "that is no name" }
            if AccountID(name.prepared) != nil { return "a name that is an account's id" }
        }
        for international in [false, true] {
            guard let address = try? EmailAddress(text, international: international) else { continue }
            guard let again = try? EmailAddress(address.folded, international: international), again == address else {
                return "an address is not its own address"
            }
            if text.utf8.count > 254 { return "an address that is too long" }
            if text.unicodeScalars.contains(where: { $0.value <= 0x20 || 0x7F...0x9F ~= $0.value }) {
                return "an address with what could end a header"
            }
            if !international && text.utf8.contains(where: { $0 > 0x7F }) { return "an address beyond ASCII" }
        }
        return nil
    }

    static let escaper = FuzzTarget("escaper", upTo: 1_000) { bytes in
        let shown = TerminalEscaper.visible(bytes.span)
        for scalar in shown.unicodeScalars where steers(scalar) {
            return "U+\(String(scalar.value, radix: 16)) reaches the terminal"
        }
        if !TerminalEscaper.visible(shown).utf8.elementsEqual(shown.utf8) { return "what is escaped is escaped again" }
        if let text = String(validating: bytes, as: UTF8.self),
            !TerminalEscaper.visible(text).utf8.elementsEqual(shown.utf8)
        {
            return "a text and its bytes are shown differently"
        }
        if let text = String(validating: bytes, as: UTF8.self), DisplayText.violation(in: text.utf8Span) == nil,
            !text.utf8.elementsEqual(shown.utf8)
        {
            return "an attribute is not shown as it is"
        }
        return nil
    }

    /// Listed here instead of asking the escaper: C0, DEL, C1, bidirectional controls, zero-width characters except
    /// joiners, separators and tags.
    private static func steers(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060, 0x2066...0x2069, 0xFEFF,
            0xE0000...0xE007F:
            true
        default: false
        }
    }

    static let recoveryCode = FuzzTarget("recovery-code", upTo: 96) { bytes in
        guard let code = RecoveryCode(typed: Secret(copying: bytes.span)) else { return nil }
        let text = code.text
        if text.utf8.count != RecoveryCode.Kind.issued.rawValue + 5 { return "a code of another length" }
        guard let again = RecoveryCode(typed: Secret(copying: text.utf8Span.span)), again.text == text else {
            return "a code is not itself"
        }
        return nil
    }
}
