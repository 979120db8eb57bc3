import LatchkeyForms
import LatchkeySystem

/// A folder of forms that replace the built-in ones.
enum FormFolder {
    /// More than any program has; so no folder that was named by mistake takes long, or much memory.
    static let maximumFiles = 256

    /// Every `*.json` in the folder but schemas (`*.schema.json`), in the order of their names.
    static func sources(in folder: String) throws(ToolFailure) -> [FormCatalogue.Source] {
        var sources: [FormCatalogue.Source] = []
        let names = try names(in: folder)
        guard names.count <= maximumFiles else {
            throw .formsTooMany(path: folder, maximum: maximumFiles)
        }
        for name in names {
            sources.append(try source(folder + "/" + name, takesPipes: false))
        }
        return sources
    }

    /// The built-in forms, with those of `folder` in the place of some.
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

    /// The form that one file describes, wherever it lies.
    ///
    /// - Parameter name: what the operand is called.
    static func form(of file: Argument, named name: String) throws(ToolFailure) -> Form {
        guard let path = file.path else { throw .badPath(name: name) }
        let source = try source(path, takesPipes: true)
        do throws(FormDescriptionError) {
            return try FormCatalogue.form(of: source)
        } catch {
            throw .formRefused(error)
        }
    }

    private static func source(_ path: String, takesPipes: Bool) throws(ToolFailure) -> FormCatalogue.Source {
        do throws(FileError) {
            let bytes = try GivenFiles.bytes(path, limit: ObjectReader.maximumBytes, takesPipes: takesPipes)
            return FormCatalogue.Source(file: path, bytes: bytes)
        } catch {
            throw .reading(path, error)
        }
    }

    private static func names(in folder: String) throws(ToolFailure) -> [String] {
        let all: [[UInt8]]
        do throws(FileError) {
            all = try FolderNames.all(in: folder)
        } catch {
            throw .reading(folder, error)
        }
        var names: [String] = []
        for name in all {
            // A file that is passed over would leave a built-in form in its place.
            let text = String(decoding: name, as: UTF8.self)
            guard text.hasSuffix(".json"), !text.hasSuffix(".schema.json"), !text.hasPrefix(".") else { continue }
            guard name.elementsEqual(text.utf8) else { throw .reading(folder + "/" + text, .notRegular) }
            names.append(text)
        }
        return names.sorted()
    }
}
