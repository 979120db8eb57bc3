import LatchkeySystem

/// A folder of JSON files, each with one description or translation.
enum JSONFolder {
    /// The maximum number of files, more than a program needs. It limits time and memory if the wrong folder is
    /// configured.
    static let maximumFiles = 256

    /// The names of all `*.json` files in the folder except hidden ones, sorted.
    static func names(in folder: String) throws(ToolFailure) -> [String] {
        let all: [[UInt8]]
        do throws(FileError) {
            all = try FolderNames.all(in: folder)
        } catch {
            if error == .notFound, (try? GivenFile(at: folder, takesPipes: false)) != nil {
                throw .fileForFolder(path: folder)
            }
            throw .reading(folder, error)
        }
        var names: [String] = []
        for name in all {
            let text = String(decoding: name, as: UTF8.self)
            guard text.hasSuffix(".json"), !text.hasPrefix(".") else { continue }
            // Skipping the file would silently use the built-in form or language.
            guard name.elementsEqual(text.utf8) else { throw .reading(folder + "/" + text, .notRegular) }
            names.append(text)
        }
        guard names.count <= maximumFiles else { throw .tooManyFiles(path: folder, maximum: maximumFiles) }
        return names.sorted()
    }
}
