import Glibc
import LatchkeyForms
import LatchkeySystem

/// A file that a command writes for its caller, with mode 0600. It replaces an older file once it is complete.
struct OutputFile {
    private let path: String
    private let draft: FileDraft

    /// Creates a temporary file next to the final path.
    ///
    /// - Parameter needed: the command's input and the store. The file must not replace these files or be inside these
    ///   folders, under any name.
    /// - Throws: status 73 if its folder is missing, 77 if other users could change it.
    init(_ path: String, sparing needed: [String]) throws(ToolFailure) {
        self.path = path
        let place = FilePlace(path)
        let taken = [path, place.folder].compactMap { FileIdentity(of: $0) }
        if needed.compactMap({ FileIdentity(of: $0) }).contains(where: taken.contains) {
            throw .outputNeeded(path: path)
        }
        do throws(FileError) {
            let folder = try GuardedFolder(at: place.folder, mayBeShared: true)
            // A folder, a link or a device with this name must not be replaced.
            if try folder.contains(place.name) {
                guard try folder.isFile(place.name) else { throw .notRegular }
            }
            draft = try FileDraft(of: place.name, in: folder)
        } catch {
            throw .making(path, error)
        }
    }

    func append(_ bytes: Span<UInt8>) throws(ToolFailure) {
        do throws(FileError) { try draft.append(bytes) } catch { throw .making(path, error) }
    }

    func publish() throws(ToolFailure) {
        do throws(FileError) { try draft.publish() } catch { throw .making(path, error) }
    }
}

/// Identifies a file. The identities of two paths to the same file are equal.
private struct FileIdentity: Equatable {
    let device: dev_t
    let number: ino_t

    /// Nil if the file does not exist or its status cannot be read.
    init?(of path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        (device, number) = (status.st_dev, status.st_ino)
    }
}
