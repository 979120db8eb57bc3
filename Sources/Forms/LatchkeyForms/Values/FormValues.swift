import LatchkeySecrets

/// The current values of a form. Typed text is stored only here.
///
/// It is not copyable, so that each secret exists only once, in a separate `SecretBytes`.
public struct FormValues: ~Copyable {
    /// An array, because for the few fields of a form a dictionary would be slower.
    var slots: [Slot] = []
    /// The text that ``TextEdit/yank`` inserts. It never comes from a secret field.
    var killed = ""

    /// Creates empty values.
    public init() {}

    struct Slot {
        let key: FieldKey
        var content = Content.nothing
        /// The bytes of a string. Their capacity is reused for the next value.
        var bytes: [UInt8] = []
    }

    /// The content of a slot.
    enum Content {
        case nothing
        case text(trims: Bool)
        /// The canonical string is in the slot's bytes.
        case boolean(Bool)
        /// The canonical string is in the slot's bytes.
        case list([String])
        case secret(SecretBox)
        /// The value cannot be stored, for this reason.
        case unusable(RuleFailure)
    }

    /// Passes the value of a field to `body`, trimmed if the field trims. The value is empty if there is none.
    public borrowing func withValue<Result>(of key: FieldKey, _ body: (UTF8Span) -> Result) -> Result {
        guard let place = place(of: key) else { return body("".utf8Span) }
        switch slots[place].content {
        case .text(let trims): return withText(in: place, trimmed: trims, body)
        case .boolean, .list: return withText(in: place, trimmed: false, body)
        case .secret(let box): return box.withText(body)
        case .unusable, .nothing: return body("".utf8Span)
        }
    }

    /// Like ``withValue(of:_:)``, but returns the failure of an unusable value without calling `body`.
    borrowing func failure(of key: FieldKey, near place: Int, _ body: (UTF8Span) -> RuleFailure?) -> RuleFailure? {
        guard let place = self.place(of: key, near: place) else { return body("".utf8Span) }
        switch slots[place].content {
        case .text(let trims): return withText(in: place, trimmed: trims, body)
        case .boolean, .list: return withText(in: place, trimmed: false, body)
        case .secret(let box): return box.withText(body)
        case .unusable(let failure): return failure
        case .nothing: return body("".utf8Span)
        }
    }

    /// The reason why the value for a field could not be stored; nil if it was stored.
    public func unusable(_ key: FieldKey) -> RuleFailure? {
        guard let place = place(of: key), case .unusable(let failure) = slots[place].content else { return nil }
        return failure
    }

    /// The string of a field that is not secret, as typed, or the canonical string of a boolean or a list.
    public func text(of key: FieldKey) -> String {
        guard let place = place(of: key) else { return "" }
        switch slots[place].content {
        case .text, .boolean, .list: return withText(in: place, trimmed: false) { String(copying: $0) }
        case .nothing, .secret, .unusable: return ""
        }
    }

    /// The value of a field that is not secret, trimmed if the field trims; nil if there is none.
    public func value(of key: FieldKey) -> FieldValue? {
        guard let place = place(of: key) else { return nil }
        switch slots[place].content {
        case .text(let trims): return .text(withText(in: place, trimmed: trims) { String(copying: $0) })
        case .boolean(let isTrue): return .boolean(isTrue)
        case .list(let values): return .list(values)
        case .nothing, .secret, .unusable: return nil
        }
    }

    /// The chosen values of a field of kind `choices`; empty for others.
    func elements(of key: FieldKey) -> [String] {
        guard let place = place(of: key), case .list(let values) = slots[place].content else { return [] }
        return values
    }

    /// Whether the field has received a value, even an empty one.
    package func has(_ key: FieldKey) -> Bool {
        guard let place = place(of: key) else { return false }
        if case .nothing = slots[place].content { return false }
        return true
    }

    /// The fields with a string value, sorted by key.
    var textKeys: [FieldKey] {
        slots.compactMap { if case .text = $0.content { $0.key } else { nil } }.sorted { $0.rawValue < $1.rawValue }
    }

    /// Erases the value of a field.
    public mutating func clear(_ key: FieldKey) {
        guard let place = place(of: key) else { return }
        slots[place] = Slot(key: key)
    }

    /// Erases every secret and every unusable value.
    public mutating func dropSecrets() {
        for place in slots.indices {
            switch slots[place].content {
            case .text, .boolean, .list: break
            case .nothing, .secret, .unusable: slots[place].content = .nothing
            }
        }
    }

    /// Passes the value of a field to `body`, as typed.
    borrowing func withRawValue<Result>(of key: FieldKey, _ body: (UTF8Span) -> Result) -> Result {
        guard let place = place(of: key), case .secret(let box) = slots[place].content else {
            return body(text(of: key).utf8Span)
        }
        return box.withText(body)
    }

    /// The bytes of a field for editing: the secret itself, or a copy of a string. Store them afterwards with
    /// ``store(_:for:)``.
    borrowing func editableBox(of field: any FormField) -> SecretBox {
        if let place = place(of: field.apiKey), case .secret(let box) = slots[place].content { return box }
        let box = SecretBox(capacity: field.maximumBytes)
        _ = box.bytes.append(text(of: field.apiKey).utf8Span.span)
        return box
    }

    mutating func store(_ box: SecretBox, for field: any FormField) {
        let place = slot(of: field.apiKey)
        if field.isSecret {
            slots[place].content = .secret(box)
        } else {
            box.withText { setText($0, in: place, trims: FieldTraits(field).trims) }
        }
    }

    /// Moves out the bytes of a secret field; nil if there are none.
    mutating func takeSecret(_ key: FieldKey) -> Secret? {
        guard let place = place(of: key), case .secret(let box) = slots[place].content else { return nil }
        slots[place].content = .nothing
        return box.take()
    }

    func copyOfSecret(_ key: FieldKey) -> Secret? {
        guard let place = place(of: key), case .secret(let box) = slots[place].content, !box.bytes.isEmpty else {
            return nil
        }
        return box.bytes.withBytes { Secret(copying: $0) }
    }

    // MARK: Slots

    func place(of key: FieldKey, near place: Int = 0) -> Int? {
        if place < slots.count, slots[place].key == key { return place }
        return slots.firstIndex { $0.key == key }
    }

    /// The index of a field's slot. It is created if it does not exist.
    mutating func slot(of key: FieldKey, near place: Int = 0) -> Int {
        if let place = self.place(of: key, near: place) { return place }
        slots.append(Slot(key: key))
        return slots.count - 1
    }

    private borrowing func withText<Result>(in place: Int, trimmed: Bool, _ body: (UTF8Span) -> Result) -> Result {
        let bytes = slots[place].bytes
        // Proof: the bytes were copied from a `UTF8Span`.
        let text = unsafe UTF8Span(unchecked: bytes.span)
        guard trimmed else { return body(text) }
        // Trimming only cuts between scalars.
        return body(unsafe UTF8Span(unchecked: text.span.extracting(text.trimmedRange)))
    }
}

extension UTF8Span {
    /// The range of bytes without the white space at both ends.
    var trimmedRange: Range<Int> {
        // Most values begin and end with a visible ASCII character.
        if !isEmpty, 0x21..<0x7F ~= span[0], 0x21..<0x7F ~= span[count - 1] { return 0..<count }
        var scalars = makeUnicodeScalarIterator()
        var start = 0
        while let scalar = scalars.next(), scalar.properties.isWhitespace { start = scalars.currentCodeUnitOffset }
        scalars.reset(roundingBackwardsFrom: count)
        var end = count
        while end > start, let scalar = scalars.previous(), scalar.properties.isWhitespace {
            end = scalars.currentCodeUnitOffset
        }
        return start..<end
    }
}
