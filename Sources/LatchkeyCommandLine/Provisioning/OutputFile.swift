import LatchkeyForms
import LatchkeySystem

/// A file that a command makes for its caller: mode 0600, there when it is whole, in the place of the one before.
struct OutputFile {
    private let path: String
    private let draft: FileDraft

    /// - Throws: status 73 where its folder is not there, 77 where others could change it.
    init(_ path: String) throws(ToolFailure) {
        self.path = path
        let place = FilePlace(path)
        do throws(FileError) {
            let folder = try GuardedFolder(at: place.folder)
            // A folder, a link or a device of that name is not what is meant to be replaced.
            if try folder.contains(place.name) {
                guard try folder.isFile(place.name) else { throw .notRegular }
            }
            draft = try FileDraft(of: place.name, in: folder)
        } catch {
            throw ToolFailure(making: path, error)
        }
    }

    func append(_ bytes: Span<UInt8>) throws(ToolFailure) {
        do throws(FileError) { try draft.append(bytes) } catch { throw ToolFailure(making: path, error) }
    }

    func publish() throws(ToolFailure) {
        do throws(FileError) { try draft.publish() } catch { throw ToolFailure(making: path, error) }
    }
}

extension ToolFailure {
    /// A caller's file that cannot be made.
    init(making path: String, _ error: FileError) {
        let values: [String: RuleFailure.Value] = ["path": .text(path)]
        switch error {
        case .exposed: self.init(.notAllowed, "output_exposed", values)
        case .full: self.init(.inputOutput, "output_full", values)
        case .alreadyThere: self.init(.cannotCreate, "output_exists", values)
        case .notFound, .notRegular, .symlink, .readOnly:
            self.init(.cannotCreate, "output_folder", values)
        case .system(let code) where [1, 13, 22].contains(code): self.init(.cannotCreate, "output_folder", values)
        case .tooLarge, .busy, .silent, .outOfMemory, .system: self.init(.inputOutput, "output_unwritten", values)
        }
    }
}
