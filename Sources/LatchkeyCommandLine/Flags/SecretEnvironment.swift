import LatchkeyForms

/// Refuses secrets in the environment, which other processes of the user can read and children inherit.
enum SecretEnvironment {
    /// - Throws: status 64, naming the variable and never its value.
    static func refuse(for fields: [any FormTextField], in environment: ProcessEnvironment) throws(ToolFailure) {
        for field in fields where field.isSecret {
            for flag in refusedFlags(of: field) {
                let name = "LATCHKEY_" + String(flag.uppercased().map { $0 == "-" ? "_" : $0 })
                guard environment.bytes(name) == nil else {
                    throw flag == field.flag
                        ? .secretEnvironment(name: name, flag: field.flag) : .hashEnvironment(name: name)
                }
            }
        }
    }

    /// What one might try to give a secret by: itself, or a hash of it, which can be guessed at once it is read.
    static func refusedFlags(of field: any FormTextField) -> [String] { [field.flag, field.flag + "-hash"] }
}
