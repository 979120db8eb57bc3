/// The current forms: one for each flow, and those of your program.
public struct FormCatalogue: Sendable {
    /// The form of each flow.
    private var flows: [AccountType: Form] = [:]
    /// The forms that belong to no flow.
    private var others: [Form] = []
    /// The descriptions that replace or extend the shipped ones.
    package let sources: [Source]

    /// The source of one description.
    public struct Source: Sendable {
        /// The name of the file, for error messages.
        public let file: String
        /// The JSON source.
        public let bytes: [UInt8]

        /// Creates a source.
        public init(file: String, bytes: [UInt8]) {
            self.file = file
            self.bytes = bytes
        }

        /// Creates a source from a string in your program.
        public init(file: String, text: String) { self.init(file: file, bytes: Array(text.utf8)) }
    }

    /// Creates a catalogue of the shipped forms and those in `sources`. A source replaces the shipped form with the
    /// same name.
    ///
    /// - Parameters:
    ///   - sources: the descriptions of additional or replaced forms.
    ///   - rules: the rules that descriptions may use.
    ///   - messages: translates the shipped forms, which are in English. Forms from `sources` are not translated.
    /// - Throws: ``FormDescriptionError`` for the first invalid description, or if two sources describe the same form.
    public init(
        replacedBy sources: [Source] = [], rules: RuleRegistry = .standard, messages: MessageTable = .english
    ) throws(FormDescriptionError) {
        self.sources = sources
        for type in AccountType.allCases {
            let source = Source(shippedFor: type)
            flows[type] = try FormDescription.form(source.bytes, file: source.file, rules: rules).worded(by: messages)
        }
        let (forms, refusals) = Self.read(sources, rules: rules)
        if let refusal = refusals.first { throw refusal }
        for form in forms { replace(form) }
        let given = Set(forms.map(\.accountType))
        let setup = form(for: .setup)
        if !given.contains(.login) { replace(form(for: .login).identifyingAccounts(of: setup)) }
        if !given.contains(.profile) { replace(form(for: .profile).askingForUsername(like: setup)) }
    }

    /// Reads all descriptions and reports the reason for each refused one. If two describe the same form, the second
    /// one is refused.
    public static func read(
        _ sources: [Source], rules: RuleRegistry = .standard
    ) -> (forms: [Form], refusals: [FormDescriptionError]) {
        var forms: [Form] = []
        var refusals: [FormDescriptionError] = []
        var files: [String: String] = [:]
        for source in sources {
            do throws(FormDescriptionError) {
                let form = try FormDescription.form(source.bytes, file: source.file, rules: rules, taken: files)
                files[form.id] = source.file
                forms.append(form)
            } catch {
                refusals.append(error)
            }
        }
        return (forms, refusals + mismatches(of: forms, in: files))
    }

    /// If the sign-up form allows accounts without a username, finds fields of other forms that their owners could not
    /// fill in.
    private static func mismatches(of forms: [Form], in files: [String: String]) -> [FormDescriptionError] {
        guard let setup = forms.first(where: { $0.accountType == .setup }), !setup.requiresUsername else { return [] }
        return forms.compactMap { form in
            let problem: FormDescriptionError.Problem
            switch form.accountType {
            case .login where form.refusesAddresses: problem = .loginRefusesAddresses
            case .profile where form.requiresUsername: problem = .profileRequiresUsername
            default: return nil
            }
            let start = TextPlace(line: 1, column: 1)
            return FormDescriptionError(file: files[form.id] ?? "", place: start, problem: problem)
        }
    }

    /// Reads the form of a single description.
    public static func form(
        of source: Source, rules: RuleRegistry = .standard
    ) throws(FormDescriptionError) -> Form {
        try FormDescription.form(source.bytes, file: source.file, rules: rules)
    }

    /// The JSON Schema (2020-12) for form descriptions with the shipped rules, for use in editors.
    public static var schema: [UInt8] { PackageResources.form_schema_json }

    private mutating func replace(_ form: Form) {
        if let type = form.accountType { flows[type] = form } else { others.append(form) }
    }

    /// A copy of the catalogue in which `form` replaces the form with the same name.
    public func replacing(_ form: Form) -> FormCatalogue {
        var catalogue = self
        catalogue.replace(form)
        return catalogue
    }

    /// The form of a flow.
    public func form(for type: AccountType) -> Form {
        // The initializer has read a form for every flow.
        flows[type, default: Form(id: type.rawValue, title: "", submit: "", fields: [])]
    }

    /// All forms: those of the flows in the order of ``AccountType``, then those of your program in the order added.
    public var all: [Form] { AccountType.allCases.map(form(for:)) + others }

    /// The form with this ID; nil if there is none.
    public subscript(id: String) -> Form? { all.first { $0.id == id } }
}

extension FormCatalogue.Source {
    /// Reads the description in `Forms/`, which the build embeds in the binary.
    init(shippedFor type: AccountType) {
        let traits = type.traits
        self.init(file: traits.slug + ".json", bytes: traits.form())
    }
}
