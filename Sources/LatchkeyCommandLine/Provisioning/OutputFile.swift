import Glibc
import LatchkeyForms
import LatchkeySystem

/// A file that a command makes for its caller: mode 0600, there when it is whole, in the place of the one before.
struct OutputFile {
    private let path: String
    private let draft: FileDraft

    /// - Parameter needed: files whose place it must not take, and folders in which it must not lie, under whatever name:
    ///   what the command reads, and the store.
    /// - Throws: status 73 where its folder is not there, 77 where others could change it.
    init(_ path: String, sparing needed: [String]) throws(ToolFailure) {
        self.path = path
        let place = FilePlace(path)
        let taken = [path, place.folder].compactMap { FileIdentity(of: $0) }
        if needed.compactMap({ FileIdentity(of: $0) }).contains(where: taken.contains) {
            throw .outputNeeded(path: path)
        }
        do throws(FileError) {
            let folder = try GuardedFolder(at: place.folder)
            // A folder, a link or a device of that name is not what is meant to be replaced.
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

/// What makes two paths one file.
private struct FileIdentity: Equatable {
    let device: dev_t
    let number: ino_t

    /// Nil where nothing is there, or nothing that may be looked at.
    init?(of path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        (device, number) = (status.st_dev, status.st_ino)
    }
}
