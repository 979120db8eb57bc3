/// The second input of a field that is asked twice, such as "Password again".
///
/// Only interactive front ends add it, by calling ``Form/askingTwice(_:)``.
public struct ConfirmationField: FormTextField {
    /// The field that this one repeats.
    public let confirmed: FieldKey
    public let apiKey: FieldKey
    public let placeholder: String
    public let label: String
    public let isSecret: Bool
    public let isMasked: Bool
    public let maximumBytes: Int
    public let trims: Bool
    public let condition: FieldCondition?
    public let page: String?

    /// Creates the confirmation of `field`.
    ///
    /// - Parameters:
    ///   - label: the label of the second input ("Password again").
    ///   - field: the field whose value is entered again.
    public init(of field: any FormTextField, label: String) {
        confirmed = field.apiKey
        apiKey = Self.key(of: field.apiKey)
        placeholder = label
        self.label = label
        isSecret = field.isSecret
        isMasked = field.isMasked
        maximumBytes = field.maximumBytes
        trims = field.trims
        condition = field.condition
        page = field.page
    }

    /// The value must equal that of the confirmed field.
    public var validationRules: [any Rule] { [ConfirmationRule(field: confirmed)] }

    /// The key for the confirmation of `field`. It contains a dot, so it differs from every key in a description.
    public static func key(of field: FieldKey) -> FieldKey { FieldKey(rawValue: field.rawValue + ".again") }
}

extension Form {
    /// A copy of the form with a ``ConfirmationField`` after each field that is asked twice.
    public func askingTwice(_ messages: MessageTable) -> Form {
        let fields = fields.flatMap { field -> [any FormField] in
            guard let field = field as? any FormTextField, field.confirms else { return [field] }
            return [field, ConfirmationField(of: field, label: messages.confirmationLabel(of: field.label))]
        }
        return Form(id: id, title: title, submit: submit, links: links, fields: fields)
    }
}
