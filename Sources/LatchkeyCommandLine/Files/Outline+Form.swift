import LatchkeyForms

extension ArgumentParser.Outline {
    /// The form whose fields are flags; nil where the command has none, or shows help and names no file.
    func form(in forms: FormCatalogue) throws(ToolFailure) -> Form? {
        switch command.form {
        case .flow(let type): return forms.form(for: type)
        case .operand(let name):
            if let file = operandBeforeFlags { return try FormFolder.form(of: file, named: name) }
            guard has("help") else { throw .operandFirst(name: name) }
            return nil
        case nil: return nil
        }
    }
}
