import LatchkeyAccounts
import LatchkeyForms

/// What one source (the flags, the environment, a file) says of the settings; nil where it is silent.
struct SettingValues: Equatable, Sendable {
    var store: String?
    var forms: String?
    var config: String?
    var trace: String?
    var language: Language?
    var noInput: Bool?
    var noColor: Bool?
    var hashMemory: Int?
    var hashIterations: Int?
    var hashParallelism: Int?
    var serviceName: String?
    var sender: String?
    /// A program with its arguments.
    var mailer: [String]?
    var verifyEmail: Bool?
    var policy: PolicyPreset?
    /// In MiB.
    var auditSize: Int?
    var auditDays: Int?
    /// Sentences in the place of those of the language, by their codes.
    var sentences: [String: String] = [:]

    /// These, and where they are silent the others.
    func over(_ others: SettingValues) -> SettingValues {
        var merged = self
        merged.store = store ?? others.store
        merged.forms = forms ?? others.forms
        merged.config = config ?? others.config
        merged.trace = trace ?? others.trace
        merged.language = language ?? others.language
        merged.noInput = noInput ?? others.noInput
        merged.noColor = noColor ?? others.noColor
        merged.hashMemory = hashMemory ?? others.hashMemory
        merged.hashIterations = hashIterations ?? others.hashIterations
        merged.hashParallelism = hashParallelism ?? others.hashParallelism
        merged.serviceName = serviceName ?? others.serviceName
        merged.sender = sender ?? others.sender
        merged.mailer = mailer ?? others.mailer
        merged.verifyEmail = verifyEmail ?? others.verifyEmail
        merged.policy = policy ?? others.policy
        merged.auditSize = auditSize ?? others.auditSize
        merged.auditDays = auditDays ?? others.auditDays
        merged.sentences = sentences.merging(others.sentences) { own, _ in own }
        return merged
    }
}
