/// Reads a form from its description. Unknown content is an error, so that the form never has fewer rules than its
/// author intended.
enum FormDescription {
    static let maximumFields = 64
    static let maximumRules = 32

    /// - Parameter taken: the IDs of the forms that were already read, with their files.
    static func form(
        _ bytes: [UInt8], file: String, rules: RuleRegistry, taken: [String: String] = [:]
    ) throws(FormDescriptionError) -> Form {
        var reader = try ObjectReader(reading: bytes, named: "form", in: file)
        _ = try reader.string("$schema")
        let id = try reader.requiredString("form")
        guard isName(id, underscores: false) else {
            throw reader.error(.badForm(id), at: reader.place(of: "form"))
        }
        if let first = taken[id] { throw reader.error(.describedTwice(id, first), at: reader.place(of: "form")) }
        let title = try reader.requiredString("title")
        let submit = try reader.requiredString("submit")
        let links = try links(&reader)
        guard let nodes = try reader.array("fields", maximum: maximumFields) else {
            throw reader.error(.missingKey("fields"))
        }
        guard !nodes.isEmpty else { throw reader.error(.empty("fields"), at: reader.place(of: "fields")) }
        var fields = FieldDescriptions(file: file, rules: rules)
        for node in nodes { try fields.read(node) }
        try reader.finish()
        let form = Form(id: id, title: title, submit: submit, links: links, fields: fields.fields)
        try fields.checkReferences()
        if let missing = form.accountType?.traits.requiredFields().first(where: { form.field($0) == nil }) {
            throw reader.error(.missingField(missing.rawValue), at: reader.place(of: "fields"))
        }
        return form
    }

    private static func links(_ reader: inout ObjectReader) throws(FormDescriptionError) -> [AccountType] {
        var links: [AccountType] = []
        for node in try reader.array("links", maximum: AccountType.linkTargets.count) ?? [] {
            guard case .string(let name) = node.content else {
                throw reader.error(.wrongElement("links", expected: "string"), at: node.place)
            }
            guard let link = AccountType(rawValue: name), link.traits.canBeOpened else {
                let allowed = AccountType.linkTargets.map(\.rawValue)
                throw reader.error(.unknownName("link", name, allowed: allowed), at: node.place)
            }
            guard !links.contains(link) else { throw reader.error(.duplicate("link", name), at: node.place) }
            links.append(link)
        }
        return links
    }

    /// Whether `text` consists of 1 to 64 ASCII letters and digits and starts with a lower-case letter. With
    /// `underscores`, it may contain underscores but no capitals.
    static func isName(_ text: String, underscores: Bool) -> Bool {
        guard let first = text.utf8.first, UInt8(ascii: "a")...UInt8(ascii: "z") ~= first, text.utf8.count <= 64 else {
            return false
        }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): !underscores
            case UInt8(ascii: "_"): underscores
            default: false
            }
        }
    }
}
