/// Manages a form while the user fills it in: validates it, and publishes a ``FormViewState`` after each change.
///
/// The rules run once for each change of a value. Submitting the form uses that result and does not run them again.
///
/// ```swift
/// let model = FormViewModel(form: form)
/// model["message"] = "Thank you"
/// guard model.validateForm() == .valid, let answers = model.takeCredentials() else {
///     return model.state.fields.compactMap(\.message)
/// }
/// ```
///
/// Not `Sendable`: the actor that owns it isolates it.
public final class FormViewModel {
    /// The form being filled in.
    public let form: Form
    /// Receives the result of each ``validateForm()``.
    public weak var delegate: (any FormViewModelDelegate)?

    /// The current state. Listeners receive a new state after each change.
    public let states: Dynamic<FormViewState>

    private let messages: MessageTable
    private var stored = FormValues()
    private var validation: FormValidation
    private var touched: Set<FieldKey> = []
    /// The failures reported by the service, by field. They are removed when the field changes.
    private var refused: [FieldKey: RuleFailure] = [:]
    private var notices: [FieldKey: RuleFailure] = [:]
    /// The fields whose failure was reported when they lost the focus, and that have not changed since.
    private var reported: Set<FieldKey> = []
    /// The strengths of new passwords. They are estimated only when the password changes, because the estimate is slow.
    private var strengths: [FieldKey: PasswordStrength] = [:]
    private var isBusy = false
    private var alert: AlertViewModel?

    /// Creates the model of a form.
    ///
    /// - Parameters:
    ///   - carrying: the values typed in another form, or those of an account. A field that is not secret starts with
    ///     the value for its key. Other fields start with their defaults.
    ///   - inputs: the values from a request or from flags. They replace those of `carrying`, and the rules run once
    ///     for all of them. The strength of a password is not estimated, because that takes milliseconds and these
    ///     front ends do not show it.
    ///   - messages: the sentences for the state, in the user's language.
    ///   - form: the form to fill in.
    public init(
        form: Form, carrying: [FieldKey: FieldValue] = [:], filling inputs: [FieldKey: FieldInput] = [:],
        messages: MessageTable = .english
    ) {
        self.form = form
        self.messages = messages
        for field in form.fields where !field.isSecret {
            guard let value = carrying[field.apiKey] else { continue }
            // The value may be of another kind, because the form may have changed since the value was stored.
            if stored.set(value, for: field) != nil { stored.clear(field.apiKey) }
        }
        _ = stored.fill(inputs, of: form)
        // If the account has no value, its form must not show a default instead.
        if form.accountType != .profile { form.fillDefaults(&stored) }
        validation = FormValidation(form, stored)
        states = Dynamic(
            FormViewState(
                form, stored, validation, refused: [:], notices: [:], touched: [], reported: [], strengths: [:],
                isBusy: false, alert: nil, messages))
    }

    /// Creates the model of a flow's form.
    public convenience init(
        type: AccountType, in catalogue: FormCatalogue, carrying: [FieldKey: FieldValue] = [:],
        messages: MessageTable = .english
    ) {
        self.init(form: catalogue.form(for: type), carrying: carrying, messages: messages)
    }

    /// The current state.
    public var state: FormViewState { states.value }

    /// The fields of the form.
    public var fields: [any FormField] { form.fields }

    /// The fields whose conditions are not met.
    package var hiddenFields: Set<FieldKey> { validation.hidden }

    /// The values of all fields that are not secret, whether or not they are valid.
    public var values: [FieldKey: FieldValue] {
        Dictionary(uniqueKeysWithValues: fields.compactMap { field in self[field.apiKey].map { (field.apiKey, $0) } })
    }

    /// The value of a field, trimmed if the field trims; nil for a secret or if there is none.
    ///
    /// Setting it is like ``set(_:for:)-(FieldInput,_)``, and nil erases the value. Set secrets there, because a string
    /// cannot be erased from memory.
    public subscript(key: FieldKey) -> FieldValue? {
        get { stored.value(of: key) }
        set { if let newValue { set(FieldInput(newValue), for: key) } else { clear(key) } }
    }

    /// The values to carry over to another form: all values that are not secret, with text as typed.
    public var carried: [FieldKey: FieldValue] {
        var carried: [FieldKey: FieldValue] = [:]
        for field in fields where !field.isSecret {
            switch stored.value(of: field.apiKey) {
            case .text:
                let text = stored.text(of: field.apiKey)
                if !text.isEmpty { carried[field.apiKey] = .text(text) }
            case let value: carried[field.apiKey] = value
            }
        }
        return carried
    }

    // MARK: Answers

    /// Sets a field to `text`. Ignored if the form has no such field, or while a call runs.
    ///
    /// - Returns: the reason why the field cannot store `text`; nil if it can.
    @discardableResult
    public func set(_ text: UTF8Span, for key: FieldKey) -> RuleFailure? {
        guard let field = editable(key) else { return nil }
        defer { changed([field]) }
        return stored.set(text, for: field)
    }

    /// Sets a field to an unchecked value, like ``set(_:for:)``. Invalid UTF-8 is refused and never repaired.
    ///
    /// - Returns: the reason why the field cannot store it, including a value of the wrong kind; nil if it can.
    @discardableResult
    public func set(_ input: FieldInput, for key: FieldKey) -> RuleFailure? {
        guard let field = editable(key) else { return nil }
        defer { changed([field]) }
        return stored.set(input, for: field)
    }

    /// Sets several fields, runs the rules once, and from then on shows the failures of these fields. Ignored while a
    /// call runs.
    public func fill(_ inputs: [FieldKey: FieldInput]) {
        guard !isBusy else { return }
        let filled = stored.fill(inputs, of: form)
        touched.formUnion(filled.map(\.apiKey))
        changed(filled, isReported: true)
    }

    /// Applies an edit at `caret`. An insertion that does not fit, contains a NUL or is not UTF-8 changes nothing.
    ///
    /// - Parameters:
    ///   - caret: the number of graphemes from the start of the field.
    ///   - edit: what to insert or delete.
    ///   - key: the field.
    /// - Returns: the caret after the edit, in graphemes.
    public func edit(_ edit: TextEdit, of key: FieldKey, at caret: Int) -> Int {
        guard let field = editable(key) else { return caret }
        let result = stored.apply(edit, to: field, at: caret)
        if result.isChanged { changed([field]) }
        return result.caret
    }

    /// Shows the reason why typed or pasted text was not accepted into ``RuleFailure/field``. The value does not
    /// change. The notice remains until the field changes or is validated.
    public func notice(_ failure: RuleFailure) {
        guard let key = failure.field, !isBusy else { return }
        notices[key] = failure
        publish()
    }

    /// Shows a failure that no rule can detect, such as a taken name, until the field changes. The field counts as
    /// valid, because the service makes the final decision.
    ///
    /// - Parameter failure: ignored unless the form has its ``RuleFailure/field``.
    public func refuse(_ failure: RuleFailure) {
        guard let key = failure.field, form.field(key) != nil else { return }
        refused[key] = failure
        touched.insert(key)
        publish()
    }

    /// The value of a field if it is answered, valid and not secret; otherwise nil.
    public func validValue(of key: FieldKey) -> FieldValue? {
        guard let place = fields.firstIndex(where: { $0.apiKey == key }), !fields[place].isSecret,
            !validation.hidden.contains(key), validation.failure(at: place) == nil
        else { return nil }
        let value = stored.value(of: key)
        return value?.text.isEmpty == false ? value : nil
    }

    /// Erases the value of a field.
    public func clear(_ key: FieldKey) {
        guard let field = editable(key) else { return }
        stored.clear(key)
        changed([field])
    }

    /// Passes the value of a field to `body`, as typed. For front ends that show a secret on request.
    public func withValue<Result>(of key: FieldKey, _ body: (UTF8Span) -> Result) -> Result {
        stored.withRawValue(of: key, body)
    }

    /// Erases all secrets. The other values remain.
    public func dropSecrets() {
        validation.valuesWereRemoved(at: placesOfSecrets)
        stored.dropSecrets()
        // The secret fields are now empty, but that must not count as an error yet.
        touched.subtract(fields.filter(\.isSecret).map(\.apiKey))
        strengths = [:]
        publish()
    }

    // MARK: Validation

    /// Shows the failure of one field until the value is valid. Call this when the field loses the focus.
    public func validate(field key: FieldKey) {
        guard form.field(key) != nil else { return }
        touched.insert(key)
        reported.insert(key)
        notices[key] = nil
        revalidateIfNeeded()
        publish()
    }

    /// Shows the failures of all fields, even of fields that were never on screen. If there are any, it shows an alert.
    /// Informs the delegate.
    @discardableResult
    public func validateForm() -> ValidationResult {
        touched = Set(fields.map(\.apiKey))
        reported = touched
        notices = [:]
        revalidateIfNeeded()
        let failures = validation.firstFailures
        let result: ValidationResult = failures.isEmpty ? .valid : .invalid(failures)
        if let alert = result.alert(in: form, messages) { self.alert = alert }
        publish()
        delegate?.formWasValidated(result)
        return result
    }

    /// Returns the values if all of them are valid and no call runs; otherwise nil.
    ///
    /// - Parameter keepsSecrets: whether the model keeps a copy of each secret, so that the user need not enter it
    ///   again after a refusal. The caller must then call ``dropSecrets()`` later. If false, the secrets are moved out
    ///   of the model.
    public func takeCredentials(keepingSecrets keepsSecrets: Bool = false) -> Credentials? {
        guard !isBusy else { return nil }
        revalidateIfNeeded()
        guard validation.isValid else { return nil }
        if keepsSecrets { return stored.takeCredentials(of: form, keepingSecrets: true) }
        validation.valuesWereRemoved(at: placesOfSecrets)
        let credentials = stored.takeCredentials(of: form)
        // The secret fields are now empty, but that must not count as an error yet.
        touched.subtract(fields.filter(\.isSecret).map(\.apiKey))
        strengths = [:]
        publish()
        return credentials
    }

    // MARK: Calls

    /// Reports that a call with the credentials has begun. Edits are ignored until it ends.
    public func callBegan() {
        isBusy = true
        alert = nil
        refused = [:]
        publish()
    }

    /// Reports that the call has ended.
    ///
    /// - Parameter alert: the reason for a failure; nil if the call succeeded.
    public func callEnded(_ alert: AlertViewModel?) {
        isBusy = false
        revalidateIfNeeded()
        self.alert = alert
        for failure in alert?.failures ?? [] {
            guard let key = failure.field else { continue }
            refused[key] = failure
            touched.insert(key)
        }
        publish()
    }

    /// Removes the alert, because it no longer applies.
    public func dismissAlert() {
        alert = nil
        publish()
    }

    private func editable(_ key: FieldKey) -> (any FormField)? { isBusy ? nil : form.field(key) }

    private func changed(_ changed: [any FormField], isReported: Bool = false) {
        for field in changed {
            let key = field.apiKey
            refused[key] = nil
            notices[key] = nil
            if isReported { reported.insert(key) } else { reported.remove(key) }
            strengths[key] = Self.strength(of: field, in: stored)
        }
        // Typing does not end the wait.
        if alert?.retryAfter == nil { alert = nil }
        validation = FormValidation(form, stored)
        publish()
    }

    private func revalidateIfNeeded() {
        if !validation.isCurrent { validation = FormValidation(form, stored) }
    }

    /// The indices of the fields that ``dropSecrets()`` and ``takeCredentials()`` empty.
    private var placesOfSecrets: [Int] {
        fields.indices.filter { fields[$0].isSecret || stored.unusable(fields[$0].apiKey) != nil }
    }

    private static func strength(of field: any FormField, in values: borrowing FormValues) -> PasswordStrength? {
        guard field.isNewPassword else { return nil }
        return values.withRawValue(of: field.apiKey) { password in
            password.isEmpty ? nil : PasswordStrength.estimate(password)
        }
    }

    private func publish() {
        states.value = FormViewState(
            form, stored, validation, refused: refused, notices: notices, touched: touched, reported: reported,
            strengths: strengths, isBusy: isBusy, alert: alert, messages)
    }
}
