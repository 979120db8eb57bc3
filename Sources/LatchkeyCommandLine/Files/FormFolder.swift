import Glibc
import LatchkeyForms
import LatchkeySystem

/// A folder of forms that replace the built-in ones.
enum FormFolder {
    /// Every `*.json` in the folder but schemas (`*.schema.json`), in the order of their names.
    static func sources(in folder: String) throws(ToolFailure) -> [FormCatalogue.Source] {
        var sources: [FormCatalogue.Source] = []
        for name in try names(in: folder) {
            let path = folder + "/" + name
            do throws(FileError) {
                let bytes = try GivenFiles.bytes(path, limit: ObjectReader.maximumBytes)
                sources.append(FormCatalogue.Source(file: path, bytes: bytes))
            } catch {
                throw ToolFailure(reading: path, error)
            }
        }
        return sources
    }

    private static func names(in folder: String) throws(ToolFailure) -> [String] {
        guard let stream = unsafe opendir(folder) else {
            throw ToolFailure(.noInput, "input_unreadable", ["name": .text(folder)])
        }
        defer { _ = unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
            guard let text = String(validating: name, as: UTF8.self) else { continue }
            if text.hasSuffix(".json"), !text.hasSuffix(".schema.json"), !text.hasPrefix(".") { names.append(text) }
        }
        return names.sorted()
    }
}
