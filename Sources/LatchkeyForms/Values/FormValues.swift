import LatchkeySecrets

/// The answers given so far in a form. The one place where typed text lives.
///
/// Not copyable, so that a secret in it has one home; each secret lies in a ``SecretBytes`` of its own.
public struct FormValues: ~Copyable {
    private var entries: [FieldKey: Entry] = [:]
    /// What ``TextEdit/yank`` gives back; never anything of a secret.
    var killed = ""

    public init() {}

    /// What a field holds.
    private enum Entry {
        case text(String, trims: Bool)
        case secret(SecretBox)
        /// What was given cannot be a value at all; nothing of it is kept.
        case unusable(RuleFailure)
    }

    /// Gives `field` the value `text`, or says why it cannot be one: it has a NUL or more bytes than the field takes.
    /// The field then holds nothing but that failure.
    public mutating func set(_ text: UTF8Span, for field: any FormTextField) -> RuleFailure? {
        if let failure = field.unusable(text) { return setUnusable(failure, for: field) }
        if field.isSecret {
            let box = editableBox(of: field)
            box.bytes.removeAll()
            _ = box.bytes.append(text.span)
            store(box, for: field)
        } else {
            entries[field.apiKey] = .text(String(copying: text), trims: field.trims)
        }
        return nil
    }

    /// As ``set(_:for:)``, for bytes from outside: those that are no UTF-8 are refused too, never repaired.
    public mutating func set(bytes: Span<UInt8>, for field: any FormTextField) -> RuleFailure? {
        // Before it is looked at, for nobody's gigabyte is to be validated.
        guard bytes.count <= field.maximumBytes else { return setUnusable(field.tooLong, for: field) }
        guard let text = try? UTF8Span(validating: bytes) else {
            return setUnusable(RuleFailure(code: .invalidUTF8), for: field)
        }
        return set(text, for: field)
    }

    /// Says that what was given for `field` cannot be a value, and why.
    @discardableResult
    public mutating func setUnusable(_ failure: RuleFailure, for field: any FormTextField) -> RuleFailure {
        var failure = failure
        failure.field = field.apiKey
        entries[field.apiKey] = .unusable(failure)
        return failure
    }

    /// Lends the value of a field, trimmed where the field trims; an empty one where there is none.
    public borrowing func withValue<Result>(of key: FieldKey, _ body: (UTF8Span) -> Result) -> Result {
        switch entries[key] {
        case .text(let text, let trims): return body((trims ? text.trimmed : text).utf8Span)
        case .secret(let box): return box.withText(body)
        case .unusable, nil: return body("".utf8Span)
        }
    }

    /// Why the value of a field cannot be one; nil where it can.
    public func unusable(_ key: FieldKey) -> RuleFailure? {
        guard case .unusable(let failure) = entries[key] else { return nil }
        return failure
    }

    /// The text of a field that is not secret, as typed.
    public func text(of key: FieldKey) -> String {
        guard case .text(let text, _) = entries[key] else { return "" }
        return text
    }

    /// Whether anything was given for a field, be it empty.
    func has(_ key: FieldKey) -> Bool { entries[key] != nil }

    /// Wipes a field.
    public mutating func clear(_ key: FieldKey) { entries[key] = nil }

    /// Wipes all that is secret, and forgets what could not be a value.
    public mutating func dropSecrets() {
        entries = entries.filter { if case .text = $0.value { true } else { false } }
    }

    /// Empties every field, and keeps the room that its secrets take: for a front that judges one line after another.
    mutating func empty() {
        for (key, entry) in entries {
            if case .secret(let box) = entry { box.bytes.removeAll() } else { entries[key] = nil }
        }
    }

    /// Lends the value of a field as typed.
    borrowing func withRawValue<Result>(of key: FieldKey, _ body: (UTF8Span) -> Result) -> Result {
        guard case .secret(let box) = entries[key] else { return body(text(of: key).utf8Span) }
        return box.withText(body)
    }

    /// The bytes of a field to edit: a secret's own, or a copy of a text. Both go back with ``store(_:for:)``.
    borrowing func editableBox(of field: any FormTextField) -> SecretBox {
        if case .secret(let box) = entries[field.apiKey] { return box }
        let box = SecretBox(capacity: field.maximumBytes)
        _ = box.bytes.append(text(of: field.apiKey).utf8Span.span)
        return box
    }

    mutating func store(_ box: SecretBox, for field: any FormTextField) {
        entries[field.apiKey] =
            field.isSecret ? .secret(box) : .text(box.withText { String(copying: $0) }, trims: field.trims)
    }

    /// Moves the bytes of a secret field out; nil where there are none.
    mutating func takeSecret(_ key: FieldKey) -> Secret? {
        guard case .secret(let box) = entries.removeValue(forKey: key) else { return nil }
        return box.take()
    }
}

extension String {
    /// Without the white space at both ends.
    package var trimmed: String {
        var rest = self[...]
        while let first = rest.unicodeScalars.first, first.properties.isWhitespace { rest.unicodeScalars.removeFirst() }
        while let last = rest.unicodeScalars.last, last.properties.isWhitespace { rest.unicodeScalars.removeLast() }
        return String(rest)
    }
}
