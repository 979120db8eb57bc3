import LatchkeySecrets

/// The answers given so far in a form. The one place where typed text lives.
///
/// Not copyable, so that a secret in it has one home; each secret lies in a ``SecretBytes`` of its own.
public struct FormValues: ~Copyable {
    /// A form has so few fields that a table of hashes would be the slower.
    private var slots: [Slot] = []
    /// What ``TextEdit/yank`` gives back; never anything of a secret.
    var killed = ""

    public init() {}

    private struct Slot {
        let key: FieldKey
        var content = Content.nothing
        /// Of a text; its room is kept for the next one.
        var bytes: [UInt8] = []
    }

    /// What a field holds.
    private enum Content {
        case nothing
        case text(trims: Bool)
        case secret(SecretBox)
        /// What was given cannot be a value at all; nothing of it is kept.
        case unusable(RuleFailure)
    }

    /// Gives `field` the value `text`, or says why it cannot be one: it has a NUL or more bytes than the field takes.
    /// The field then holds nothing but that failure.
    public mutating func set(_ text: UTF8Span, for field: any FormTextField) -> RuleFailure? {
        set(text, for: FieldTraits(field), near: 0)
    }

    /// As ``set(_:for:)``.
    ///
    /// - Parameter place: where the field's value probably is: the fields before it have been given theirs.
    mutating func set(_ text: UTF8Span, for field: FieldTraits, near place: Int) -> RuleFailure? {
        let place = slot(of: field.key, near: place)
        if let failure = field.unusable(text) { return setUnusable(failure, in: place) }
        if field.isSecret {
            let box = secretBox(in: place, capacity: field.maximumBytes)
            box.bytes.removeAll()
            _ = box.bytes.append(text.span)
        } else {
            setText(text, in: place, trims: field.trims)
        }
        return nil
    }

    /// As ``set(_:for:)``, for bytes from outside: those that are no UTF-8 are refused too, never repaired.
    public mutating func set(bytes: Span<UInt8>, for field: any FormTextField) -> RuleFailure? {
        let traits = FieldTraits(field)
        // Before it is looked at, for nobody's gigabyte is to be validated.
        guard bytes.count <= traits.maximumBytes else { return setUnusable(traits.tooLong, for: field) }
        guard let text = try? UTF8Span(validating: bytes) else {
            return setUnusable(RuleFailure(code: .invalidUTF8), for: field)
        }
        return set(text, for: traits, near: 0)
    }

    /// Says that what was given for `field` cannot be a value, and why.
    @discardableResult
    public mutating func setUnusable(_ failure: RuleFailure, for field: any FormTextField) -> RuleFailure {
        setUnusable(failure, in: slot(of: field.apiKey))
    }

    /// Lends the value of a field, trimmed where the field trims; an empty one where there is none.
    public borrowing func withValue<Result>(of key: FieldKey, _ body: (UTF8Span) -> Result) -> Result {
        guard let place = place(of: key) else { return body("".utf8Span) }
        switch slots[place].content {
        case .text(let trims): return withText(in: place, trimmed: trims, body)
        case .secret(let box): return box.withText(body)
        case .unusable, .nothing: return body("".utf8Span)
        }
    }

    /// Lends the value of a field that can be one, as ``withValue(of:_:)`` does; answers why it cannot, where it cannot.
    borrowing func failure(of key: FieldKey, near place: Int, _ body: (UTF8Span) -> RuleFailure?) -> RuleFailure? {
        guard let place = self.place(of: key, near: place) else { return body("".utf8Span) }
        switch slots[place].content {
        case .text(let trims): return withText(in: place, trimmed: trims, body)
        case .secret(let box): return box.withText(body)
        case .unusable(let failure): return failure
        case .nothing: return body("".utf8Span)
        }
    }

    /// Why the value of a field cannot be one; nil where it can.
    public func unusable(_ key: FieldKey) -> RuleFailure? {
        guard let place = place(of: key), case .unusable(let failure) = slots[place].content else { return nil }
        return failure
    }

    /// The text of a field that is not secret, as typed.
    public func text(of key: FieldKey) -> String {
        guard let place = place(of: key), case .text = slots[place].content else { return "" }
        return withText(in: place, trimmed: false) { String(copying: $0) }
    }

    /// Whether anything was given for a field, be it empty.
    func has(_ key: FieldKey) -> Bool {
        guard let place = place(of: key) else { return false }
        if case .nothing = slots[place].content { return false }
        return true
    }

    /// The fields that hold a text and no secret.
    var textKeys: [FieldKey] {
        slots.compactMap { if case .text = $0.content { $0.key } else { nil } }.sorted { $0.rawValue < $1.rawValue }
    }

    /// Wipes a field.
    public mutating func clear(_ key: FieldKey) {
        guard let place = place(of: key) else { return }
        slots[place] = Slot(key: key)
    }

    /// Wipes all that is secret, and forgets what could not be a value.
    public mutating func dropSecrets() {
        for place in slots.indices {
            if case .text = slots[place].content { continue }
            slots[place].content = .nothing
        }
    }

    /// Lends the value of a field as typed.
    borrowing func withRawValue<Result>(of key: FieldKey, _ body: (UTF8Span) -> Result) -> Result {
        guard let place = place(of: key), case .secret(let box) = slots[place].content else {
            return body(text(of: key).utf8Span)
        }
        return box.withText(body)
    }

    /// The bytes of a field to edit: a secret's own, or a copy of a text. Both go back with ``store(_:for:)``.
    borrowing func editableBox(of field: any FormTextField) -> SecretBox {
        if let place = place(of: field.apiKey), case .secret(let box) = slots[place].content { return box }
        let box = SecretBox(capacity: field.maximumBytes)
        _ = box.bytes.append(text(of: field.apiKey).utf8Span.span)
        return box
    }

    mutating func store(_ box: SecretBox, for field: any FormTextField) {
        let place = slot(of: field.apiKey)
        if field.isSecret {
            slots[place].content = .secret(box)
        } else {
            box.withText { setText($0, in: place, trims: field.trims) }
        }
    }

    /// Moves the bytes of a secret field out; nil where there are none.
    mutating func takeSecret(_ key: FieldKey) -> Secret? {
        guard let place = place(of: key), case .secret(let box) = slots[place].content else { return nil }
        slots[place].content = .nothing
        return box.take()
    }

    // MARK: Slots

    private func place(of key: FieldKey, near place: Int = 0) -> Int? {
        if place < slots.count, slots[place].key == key { return place }
        return slots.firstIndex { $0.key == key }
    }

    /// The place of a field's slot, which is made where there is none.
    private mutating func slot(of key: FieldKey, near place: Int = 0) -> Int {
        if let place = self.place(of: key, near: place) { return place }
        slots.append(Slot(key: key))
        return slots.count - 1
    }

    private mutating func setUnusable(_ failure: RuleFailure, in place: Int) -> RuleFailure {
        var failure = failure
        failure.field = slots[place].key
        slots[place] = Slot(key: slots[place].key, content: .unusable(failure))
        return failure
    }

    private mutating func setText(_ text: UTF8Span, in place: Int, trims: Bool) {
        slots[place].content = .text(trims: trims)
        slots[place].bytes.removeAll(keepingCapacity: true)
        unsafe text.span.withUnsafeBufferPointer { unsafe slots[place].bytes.append(contentsOf: $0) }
    }

    /// The home of the secret in a slot.
    private mutating func secretBox(in place: Int, capacity: Int) -> SecretBox {
        if case .secret(let box) = slots[place].content { return box }
        let box = SecretBox(capacity: capacity)
        slots[place] = Slot(key: slots[place].key, content: .secret(box))
        return box
    }

    private borrowing func withText<Result>(in place: Int, trimmed: Bool, _ body: (UTF8Span) -> Result) -> Result {
        let bytes = slots[place].bytes
        // Proof: they were a text's.
        let text = unsafe UTF8Span(unchecked: bytes.span)
        guard trimmed else { return body(text) }
        // White space begins and ends where a scalar does.
        return body(unsafe UTF8Span(unchecked: text.span.extracting(text.trimmedRange)))
    }
}

extension UTF8Span {
    /// What is left, in bytes, without the white space at both ends.
    var trimmedRange: Range<Int> {
        // Most texts begin and end with a visible character of ASCII.
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
