/// Holds a form that is being filled in, validates it, and says after each change what there is to show.
///
/// Names no actor and starts no task: its front isolates it.
public final class FormViewModel {
    public let form: Form
    public weak var delegate: (any FormViewModelDelegate)?

    /// What there is to show now; listeners are told after each change.
    public let states: Dynamic<FormViewState>

    private let messages: MessageTable
    private var values = FormValues()
    private var touched: Set<FieldKey> = []
    /// What the service refused, by field, until the field is changed.
    private var refused: [FieldKey: RuleFailure] = [:]
    private var notices: [FieldKey: RuleFailure] = [:]
    /// Fields whose failure was told as they were left, and that have not been changed since.
    private var told: Set<FieldKey> = []
    /// Of new passwords, estimated when they change and not at every look.
    private var strengths: [FieldKey: PasswordStrength] = [:]
    private var isBusy = false
    private var alert: AlertViewModel?

    /// - Parameters:
    ///   - carrying: texts typed in another form, taken over where this one has a field of the same key that is not
    ///     secret.
    ///   - messages: the language of the sentences in the state.
    public init(form: Form, carrying: [FieldKey: String] = [:], messages: MessageTable = .english) {
        self.form = form
        self.messages = messages
        for field in form.fields where !field.isSecret {
            guard let text = carrying[field.apiKey] else { continue }
            _ = values.set(text.utf8Span, for: field)
        }
        states = Dynamic(
            FormViewState(
                form, values, [:], notices: [:], touched: [], told: [], strengths: [:], isBusy: false, alert: nil,
                messages))
    }

    /// The form of a flow.
    public convenience init(
        type: AccountType, in catalogue: FormCatalogue, carrying: [FieldKey: String] = [:],
        messages: MessageTable = .english
    ) {
        self.init(form: catalogue.form(for: type), carrying: carrying, messages: messages)
    }

    public var state: FormViewState { states.value }

    public var fields: [any FormTextField] { form.fields }

    /// What may travel along to another form: every text that is not secret, as typed.
    public var carried: [FieldKey: String] {
        var carried: [FieldKey: String] = [:]
        for field in fields where !field.isSecret {
            let text = values.text(of: field.apiKey)
            if !text.isEmpty { carried[field.apiKey] = text }
        }
        return carried
    }

    // MARK: Answers

    /// Gives a field a value; answers why it cannot be one, where it cannot. A key that the form lacks is ignored, and so
    /// is every change while a call runs.
    @discardableResult
    public func set(_ text: UTF8Span, for key: FieldKey) -> RuleFailure? {
        guard let field = editable(key) else { return nil }
        defer { changed(key) }
        return values.set(text, for: field)
    }

    /// Gives a field a value from outside; bytes that are no UTF-8 are refused, never repaired.
    @discardableResult
    public func set(bytes: Span<UInt8>, for key: FieldKey) -> RuleFailure? {
        guard let field = editable(key) else { return nil }
        defer { changed(key) }
        return values.set(bytes: bytes, for: field)
    }

    /// Applies an edit at `caret`, counted in graphemes from the start of the field, and answers where the caret then is.
    /// What would make the value longer than the field takes, has a NUL or is no UTF-8 changes nothing.
    public func edit(_ edit: TextEdit, of key: FieldKey, at caret: Int) -> Int {
        guard let field = editable(key) else { return caret }
        let result = values.apply(edit, to: field, at: caret)
        if result.isChanged { changed(key) }
        return result.caret
    }

    /// Says why what was typed or pasted for ``RuleFailure/field`` was not taken. The value stays as it is, and the notice
    /// until the field is changed or looked at.
    public func notice(_ failure: RuleFailure) {
        guard let key = failure.field, !isBusy else { return }
        notices[key] = failure
        publish()
    }

    /// Wipes a field's value.
    public func clear(_ key: FieldKey) {
        guard editable(key) != nil else { return }
        values.clear(key)
        changed(key)
    }

    /// Lends the bytes of a field to `body`: for a front that shows a secret while it is typed.
    public func withValue<Result>(of key: FieldKey, _ body: (UTF8Span) -> Result) -> Result {
        values.withRawValue(of: key, body)
    }

    /// Wipes every secret; the texts stay.
    public func dropSecrets() {
        values.dropSecrets()
        strengths = [:]
        publish()
    }

    // MARK: Validation

    /// Looks at one field as it is left; from now on its failure shows, and goes as soon as it is mended.
    public func validate(field key: FieldKey) {
        guard form.field(key) != nil else { return }
        touched.insert(key)
        told.insert(key)
        notices[key] = nil
        publish()
    }

    /// Looks at every field, whether or not it was ever shown, and tells the delegate.
    @discardableResult
    public func validateForm() -> ValidationResult {
        touched = Set(fields.map(\.apiKey))
        told = touched
        notices = [:]
        publish()
        let failures = form.failures(of: values)
        let result: ValidationResult = failures.isEmpty ? .valid : .invalid(failures)
        delegate?.formWasValidated(result)
        return result
    }

    /// The answers, where they are all valid and no call runs. The secrets move out: the model keeps none of them.
    public func takeCredentials() -> Credentials? {
        guard !isBusy, form.failures(of: values).isEmpty else { return nil }
        let credentials = values.takeCredentials(of: form)
        // An empty password must not be called missing before it is asked for again.
        touched.subtract(fields.filter(\.isSecret).map(\.apiKey))
        strengths = [:]
        publish()
        return credentials
    }

    // MARK: Calls

    /// A call with the credentials has begun: edits are ignored until it ends.
    public func callBegan() {
        isBusy = true
        alert = nil
        refused = [:]
        publish()
    }

    /// The call has ended; `alert` says why it failed, nil that it did not.
    public func callEnded(_ alert: AlertViewModel?) {
        isBusy = false
        self.alert = alert
        for failure in alert?.failures ?? [] {
            guard let key = failure.field else { continue }
            refused[key] = failure
            touched.insert(key)
        }
        publish()
    }

    /// Takes the alert away: what it said holds no longer.
    public func dismissAlert() {
        alert = nil
        publish()
    }

    private func editable(_ key: FieldKey) -> (any FormTextField)? { isBusy ? nil : form.field(key) }

    private func changed(_ key: FieldKey) {
        refused[key] = nil
        notices[key] = nil
        told.remove(key)
        // That one has to wait stays true, whatever is typed meanwhile.
        if alert?.retryAfter == nil { alert = nil }
        estimate(key)
        publish()
    }

    private func estimate(_ key: FieldKey) {
        guard form.field(key)?.isNewPassword == true else { return }
        strengths[key] = values.withRawValue(of: key) { $0.isEmpty ? nil : form.strength(of: $0, in: key) }
    }

    private func publish() {
        states.value = FormViewState(
            form, values, refused, notices: notices, touched: touched, told: told, strengths: strengths, isBusy: isBusy,
            alert: alert, messages)
    }
}
