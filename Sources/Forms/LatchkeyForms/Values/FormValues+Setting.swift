import LatchkeySecrets

extension FormValues {
    /// Gives `field` the value `text`. A boolean takes `true`, `yes`, `on`, `1` and their opposites, `choices` take
    /// values separated by semicolons, and options are recognised in any case.
    ///
    /// - Returns: why the field cannot store it: it contains a NUL or is too long. The field then stores only that
    ///   failure. Nil otherwise.
    public mutating func set(_ text: UTF8Span, for field: any FormField) -> RuleFailure? {
        set(text, for: FieldTraits(field), near: 0)
    }

    /// Like ``set(_:for:)``, without a look-up of the field.
    ///
    /// - Parameter place: where the value is looked up first: the position of the field in its form.
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

    /// Gives `field` a value of any kind.
    ///
    /// - Returns: why the field cannot store it: as for a text, and if the field takes another kind of value
    ///   (``RuleFailure/Code/notText``, ``RuleFailure/Code/notBoolean`` or ``RuleFailure/Code/notList``). Nil otherwise.
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

    /// Like ``set(_:for:)`` for unchecked bytes. Invalid UTF-8 is refused, never repaired.
    public mutating func set(bytes: Span<UInt8>, for field: any FormField) -> RuleFailure? {
        let traits = FieldTraits(field)
        // First the length, so that a gigabyte of input is not validated as UTF-8.
        guard bytes.count <= traits.maximumBytes else { return setUnusable(traits.tooLong, for: field) }
        guard let text = try? UTF8Span(validating: bytes) else {
            return setUnusable(RuleFailure(code: .invalidUTF8), for: field)
        }
        return set(text, for: traits, near: 0)
    }

    /// Records that the value given for `field` cannot be stored, and returns the failure with the field's key.
    @discardableResult
    public mutating func setUnusable(_ failure: RuleFailure, for field: any FormField) -> RuleFailure {
        setUnusable(failure, in: slot(of: field.apiKey))
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

    /// The box of the secret in a slot, which is created if it does not exist.
    private mutating func secretBox(in place: Int, capacity: Int) -> SecretBox {
        if case .secret(let box) = slots[place].content { return box }
        let box = SecretBox(capacity: capacity)
        slots[place] = Slot(key: slots[place].key, content: .secret(box))
        return box
    }
}
