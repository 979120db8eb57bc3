import LatchkeyForms
import LatchkeySystem

/// A folder of forms that replace the built-in ones.
enum FormFolder {
    /// All `*.json` files in the folder except schemas (`*.schema.json`), sorted by name.
    static func sources(in folder: String) throws(ToolFailure) -> [FormCatalogue.Source] {
        var sources: [FormCatalogue.Source] = []
        for name in try JSONFolder.names(in: folder) where !name.hasSuffix(".schema.json") {
            sources.append(try source(folder + "/" + name, takesPipes: false))
        }
        return sources
    }

    /// The built-in forms, some of which may be replaced by forms in `folder`.
    static func catalogue(
        _ folder: String?, _ rules: RuleRegistry, _ messages: MessageTable
    ) throws(ToolFailure) -> FormCatalogue {
        let sources = if let folder { try sources(in: folder) } else { [FormCatalogue.Source]() }
        do throws(FormDescriptionError) {
            return try FormCatalogue(replacedBy: sources, rules: rules, messages: messages)
        } catch {
            throw .formRefused(error)
        }
    }

    /// The form described in a file.
    ///
    /// - Parameter name: the operand's name in error messages.
    static func form(of file: Argument, named name: String) throws(ToolFailure) -> Form {
        guard let path = file.path else { throw .badValue(name, .path) }
        let source = try source(path, takesPipes: true)
        do throws(FormDescriptionError) {
            return try FormCatalogue.form(of: source)
        } catch {
            throw .formRefused(error)
        }
    }

    private static func source(_ path: String, takesPipes: Bool) throws(ToolFailure) -> FormCatalogue.Source {
        FormCatalogue.Source(
            file: path,
            bytes: try InputFiles.contents(of: path, limit: ObjectReader.maximumBytes, takesPipes: takesPipes))
    }
}

extension ArgumentParser.FirstPass {
    /// The form whose fields are flags. Nil if the command has none, or if it only shows help and no file was given.
    func form(in forms: FormCatalogue) throws(ToolFailure) -> Form? {
        switch command.form {
        case .flow(let type): return forms.form(for: type)
        case .operand(let name):
            if let file = operandBeforeFlags { return try FormFolder.form(of: file, named: name) }
            guard wantsHelp else { throw .operandFirst(name: name) }
            return nil
        case nil: return nil
        }
    }
}
