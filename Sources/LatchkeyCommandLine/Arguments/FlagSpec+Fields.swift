import LatchkeyForms

extension FlagSpec {
    /// The flags that give a field: its own, or for a secret three ways that keep it out of the arguments.
    static func flags(for field: any FormTextField) -> [FlagSpec] {
        guard field.isSecret else {
            let values = field.validationRules.lazy.compactMap { ($0 as? OneOfRule)?.values }.first
            return [
                FlagSpec(
                    field.flag, value: "TEXT", of: values.map(ValueKind.oneOf) ?? .text,
                    field.help ?? field.placeholder)
            ]
        }
        return SecretSource.allCases.map { source in
            FlagSpec(source.flag(of: field), value: source.valueName, "\(field.label), \(source.summary)")
        } + SecretEnvironment.refusedFlags(of: field).map { FlagSpec($0, value: "", "", refusedSecret: field.flag) }
    }
}
