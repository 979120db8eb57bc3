import LatchkeyAccounts
import LatchkeyForms

extension SettingValues {
    /// What the command line says.
    init(flags: [Invocation.Flag]) throws(ToolFailure) {
        for flag in flags {
            let name = "--" + flag.name
            switch flag.name {
            case "store": store = try Self.path(flag.value, name)
            case "forms": forms = try Self.path(flag.value, name)
            case "config": config = try Self.path(flag.value, name)
            case "trace": trace = try Self.path(flag.value, name)
            case "lang": language = try Self.language(flag.value, name)
            case "no-input": noInput = true
            case "no-color": noColor = true
            case "policy": policy = try Self.preset(flag.value, name)
            case "hash-memory": hashMemory = try Self.number(flag.value, name)
            case "hash-iterations": hashIterations = try Self.number(flag.value, name)
            case "hash-parallelism": hashParallelism = try Self.number(flag.value, name)
            default: break
            }
        }
    }

    /// What the environment says.
    init(environment: ProcessEnvironment) throws(ToolFailure) {
        func path(_ name: String) throws(ToolFailure) -> String? {
            guard let bytes = environment.bytes(name) else { return nil }
            return try Self.path(Argument(bytes: bytes), name)
        }
        func number(_ name: String) throws(ToolFailure) -> Int? {
            guard let bytes = environment.bytes(name) else { return nil }
            return try Self.number(Argument(bytes: bytes), name)
        }
        func text(_ name: String) throws(ToolFailure) -> String? {
            guard let bytes = environment.bytes(name) else { return nil }
            guard let text = environment.text(name), Self.isHeaderText(text), bytes.count <= Self.maximumTextBytes
            else {
                throw .badText(name: name, maximum: Self.maximumTextBytes)
            }
            return text
        }
        store = try path("LATCHKEY_STORE")
        forms = try path("LATCHKEY_FORMS")
        config = try path("LATCHKEY_CONFIG")
        trace = try path("LATCHKEY_TRACE")
        language = try environment.bytes("LATCHKEY_LANG").map { (bytes) throws(ToolFailure) in
            try Self.language(Argument(bytes: bytes), "LATCHKEY_LANG")
        }
        noInput = environment.isOn("LATCHKEY_NO_INPUT") ? true : nil
        // no-color.org: any value but the empty one.
        noColor = environment.bytes("NO_COLOR") != nil || environment.isOn("LATCHKEY_NO_COLOR") ? true : nil
        hashMemory = try number("LATCHKEY_HASH_MEMORY")
        hashIterations = try number("LATCHKEY_HASH_ITERATIONS")
        hashParallelism = try number("LATCHKEY_HASH_PARALLELISM")
        serviceName = try text("LATCHKEY_SERVICE_NAME")
        sender = try text("LATCHKEY_SENDER")
        if let bytes = environment.bytes("LATCHKEY_POLICY") {
            policy = try Self.preset(Argument(bytes: bytes), "LATCHKEY_POLICY")
        }
        verifyEmail =
            environment.bytes("LATCHKEY_VERIFY_EMAIL") != nil ? environment.isOn("LATCHKEY_VERIFY_EMAIL") : nil
    }

    /// What a configuration file says; a key that is not known is refused.
    init(json bytes: [UInt8], file: String) throws(FormDescriptionError) {
        var reader = try ObjectReader(reading: bytes, named: "configuration", in: file)
        func path(_ key: String) throws(FormDescriptionError) -> String? {
            let text = try reader.string(key)
            guard text.map({ Argument($0).path != nil }) ?? true else {
                throw reader.error(.init("tool.setting_path", ["key": .text(key)]), at: reader.place(of: key))
            }
            return text
        }
        store = try path("store")
        forms = try path("forms")
        language = try reader.name("lang", of: Language.self)
        noInput = try reader.bool("no_input")
        noColor = try reader.bool("no_color")
        func text(_ key: String) throws(FormDescriptionError) -> String? {
            let text = try reader.string(key)
            guard text.map(Self.isHeaderText) ?? true else {
                let values: [String: RuleFailure.Value] = [
                    "key": .text(key), "maximum": .integer(Self.maximumTextBytes),
                ]
                throw reader.error(.init("tool.setting_text_limit", values), at: reader.place(of: key))
            }
            return text
        }
        serviceName = try text("service_name")
        sender = try text("sender")
        verifyEmail = try reader.bool("verify_email")
        mailer = try reader.strings("mailer", maximum: 64)
        if let mailer, !Self.isProgram(mailer) {
            throw reader.error(.init("tool.setting_mailer", [:]), at: reader.place(of: "mailer"))
        }
        if let name = try reader.string("policy") {
            guard let preset = PolicyPreset(named: name) else {
                throw reader.error(
                    .init("tool.setting_policy", ["known": .text(Self.presets)]), at: reader.place(of: "policy"))
            }
            policy = preset
        }
        if var audit = try reader.object("audit") {
            auditSize = try audit.integer("size", in: Self.auditSizes)
            auditDays = try audit.integer("days", in: Self.auditDays)
            try audit.finish()
        }
        sentences = try Self.sentences(&reader)
        if var hash = try reader.object("hash") {
            hashMemory = try hash.integer("memory", in: 0...Int(UInt32.max))
            hashIterations = try hash.integer("iterations", in: 0...Int(UInt32.max))
            hashParallelism = try hash.integer("parallelism", in: 0...Int(UInt32.max))
            try hash.finish()
        }
        try reader.finish()
    }

    private static let maximumTextBytes = 255

    /// In MiB: up to 1 TiB.
    private static let auditSizes = 1...1_048_576
    /// Up to a century.
    private static let auditDays = 1...36_525

    private static var presets: String { PolicyPreset.all.map(\.name).joined(separator: ", ") }

    private static func preset(_ value: Argument?, _ name: String) throws(ToolFailure) -> PolicyPreset {
        guard let preset = value?.text.flatMap(PolicyPreset.init(named:)) else {
            throw .badPolicy(name: name, known: presets)
        }
        return preset
    }

    /// Whether it may stand in the head of a message.
    private static func isHeaderText(_ text: String) -> Bool {
        text.utf8.count <= maximumTextBytes
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    /// Whether it is a name or an absolute path, with arguments: a relative path would be another program elsewhere.
    private static func isProgram(_ arguments: [String]) -> Bool {
        guard let program = arguments.first, program.hasPrefix("/") || !program.utf8.contains(UInt8(ascii: "/")) else {
            return false
        }
        return !arguments.contains { $0.utf8.contains(0) }
    }

    private static func language(_ value: Argument?, _ name: String) throws(ToolFailure) -> Language {
        guard let language = value?.text.flatMap(Language.init(rawValue:)) else {
            let known = Language.allCases.map(\.rawValue).joined(separator: ", ")
            throw .badLanguage(name: name, known: known)
        }
        return language
    }

    private static func path(_ value: Argument?, _ name: String) throws(ToolFailure) -> String {
        guard let path = value?.path else { throw .badPath(name: name) }
        return path
    }

    private static func number(_ value: Argument?, _ name: String) throws(ToolFailure) -> Int {
        guard let number = value?.wholeNumber else { throw .badNumber(name: name) }
        return number
    }
}
