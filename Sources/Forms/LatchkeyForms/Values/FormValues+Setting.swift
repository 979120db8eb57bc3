import LatchkeySecrets

extension FormValues {
    /// Sets `field` to `text`. A boolean accepts `true`, `yes`, `on`, `1` and their opposites. `choices` accept values
    /// separated by semicolons. Options are recognised in any case.
    ///
    /// - Returns: the failure if `text` contains a NUL or is too long; otherwise nil. After a failure, the field stores
    ///   only the failure.
    public mutating func set(_ text: UTF8Span, for field: any FormField) -> RuleFailure? {
        set(text, for: FieldTraits(field), near: 0)
    }

    /// Like ``set(_:for:)``, but does not look up the field.
    ///
    /// - Parameter place: the index of the field in its form, where its value is looked up first.
    mutating func set(_ text: UTF8Span, for field: FieldTraits, near place: Int) -> RuleFailure? {
        let place = slot(of: field.key, near: place)
        if let failure = field.unusable(text) { return setUnusable(failure, in: place) }
        switch field.kind {
        case _ where field.isSecret:
            let box = secretBox(in: place, capacity: field.maximumBytes)
            box.bytes.removeAll()
            _ = box.bytes.append(text.span)
        case .text, .date: setText(text, in: place, trims: field.trims)
        case .multiline:
            let lines = String(copying: text).withLineFeeds
            setText(lines.utf8Span, in: place, trims: field.trims)
        case .choice: setText(field.spelling(of: String(copying: text)).utf8Span, in: place, trims: true)
        case .choices: setList(field.elements(of: String(copying: text)), in: place)
        case .boolean:
            guard !text.isEmpty else {
                slots[place] = Slot(key: field.key)
                return nil
            }
            guard let isTrue = FieldValue.boolean(String(copying: text)) else {
                return setUnusable(RuleFailure(code: .notBoolean), in: place)
            }
            setBoolean(isTrue, in: place)
        }
        return nil
    }

    /// Sets `field` to a value of any kind.
    ///
    /// - Returns: the reason why the field cannot store the value; nil if it can. The reasons are those for text, or
    ///   that the field expects another kind of value (``RuleFailure/Code/notText``, ``RuleFailure/Code/notBoolean`` or
    ///   ``RuleFailure/Code/notList``).
    @discardableResult
    public mutating func set(_ value: FieldValue, for field: any FormField) -> RuleFailure? {
        set(value, for: FieldTraits(field), near: 0)
    }

    mutating func set(_ value: FieldValue, for field: FieldTraits, near place: Int) -> RuleFailure? {
        let takes: FieldKind? =
            switch value {
            case .text: field.kind.mismatch == .notText ? field.kind : nil
            case .boolean: .boolean
            case .list: .choices
            }
        guard takes == field.kind else {
            return setUnusable(RuleFailure(code: field.kind.mismatch), in: slot(of: field.key, near: place))
        }
        switch value {
        case .text(let text): return set(text.utf8Span, for: field, near: place)
        case .boolean(let isTrue): setBoolean(isTrue, in: slot(of: field.key, near: place))
        case .list(let values):
            let place = slot(of: field.key, near: place)
            if FieldValue.list(values).text.utf8.count > field.maximumBytes {
                return setUnusable(field.tooLong, in: place)
            }
            setList(field.spellings(of: values), in: place)
        }
        return nil
    }

    /// Sets `field` to an unchecked value. Bytes are treated like text. Invalid UTF-8 is refused and never repaired.
    ///
    /// - Returns: the reason why the field cannot store it; nil if it can.
    @discardableResult
    public mutating func set(_ input: FieldInput, for field: any FormField) -> RuleFailure? {
        switch input {
        case .bytes(let secret): secret.withBytes { set($0, for: FieldTraits(field)) }
        case .boolean(let isTrue): set(FieldValue.boolean(isTrue), for: field)
        case .list(let values): set(FieldValue.list(values), for: field)
        }
    }

    /// Sets the fields of `form` to these values.
    ///
    /// - Returns: the fields that received a value.
    package mutating func fill(_ inputs: [FieldKey: FieldInput], of form: Form) -> [any FormField] {
        form.fields.filter { field in
            guard let input = inputs[field.apiKey] else { return false }
            set(input, for: field)
            return true
        }
    }

    private mutating func set(_ bytes: Span<UInt8>, for field: FieldTraits) -> RuleFailure? {
        // The length is checked first, so that a gigabyte of input is not validated as UTF-8.
        guard bytes.count <= field.maximumBytes else { return setUnusable(field.tooLong, in: slot(of: field.key)) }
        guard let text = try? UTF8Span(validating: bytes) else {
            return setUnusable(RuleFailure(code: .invalidUTF8), in: slot(of: field.key))
        }
        return set(text, for: field, near: 0)
    }

    /// Records that the value for the field at `place` was of the wrong kind.
    mutating func refuse(_ field: FieldTraits, near place: Int) {
        _ = setUnusable(RuleFailure(code: field.kind.mismatch), in: slot(of: field.key, near: place))
    }

    // MARK: Slots

    private mutating func setUnusable(_ failure: RuleFailure, in place: Int) -> RuleFailure {
        var failure = failure
        failure.field = slots[place].key
        slots[place] = Slot(key: slots[place].key, content: .unusable(failure))
        return failure
    }

    mutating func setText(_ text: UTF8Span, in place: Int, trims: Bool) {
        slots[place].content = .text(trims: trims)
        slots[place].bytes.removeAll(keepingCapacity: true)
        unsafe text.span.withUnsafeBufferPointer { unsafe slots[place].bytes.append(contentsOf: $0) }
    }

    private mutating func setBoolean(_ isTrue: Bool, in place: Int) {
        setText(FieldValue.boolean(isTrue).text.utf8Span, in: place, trims: false)
        slots[place].content = .boolean(isTrue)
    }

    private mutating func setList(_ values: [String], in place: Int) {
        setText(FieldValue.list(values).text.utf8Span, in: place, trims: false)
        slots[place].content = .list(values)
    }

    /// The box of the secret in a slot. It is created if it does not exist.
    private mutating func secretBox(in place: Int, capacity: Int) -> SecretBox {
        if case .secret(let box) = slots[place].content { return box }
        let box = SecretBox(capacity: capacity)
        slots[place] = Slot(key: slots[place].key, content: .secret(box))
        return box
    }
}
