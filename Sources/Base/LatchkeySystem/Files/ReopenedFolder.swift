import Glibc

/// A guarded folder that stays open between uses.
///
/// Each use checks with a single system call that the path still leads to this folder, with the same owner and mode.
/// Otherwise, the folder is opened again with all checks of ``GuardedFolder``. An attacker who can write to a parent
/// folder could only redirect the path, which this check detects.
package final class ReopenedFolder: Sendable {
    private let path: String
    private let opened = Locked<GuardedFolder?>(nil)

    /// Creates the object without opening the folder.
    package init(at path: String) { self.path = path }

    /// The folder that is currently at the path.
    ///
    /// - Throws: the errors of ``GuardedFolder/init(at:mayBeShared:)``.
    package func current() throws(FileError) -> GuardedFolder {
        if let folder = opened.withLock({ $0 }), isAtPath(folder.status) { return folder }
        let folder = try GuardedFolder(at: path)
        opened.withLock { $0 = folder }
        return folder
    }

    private func isAtPath(_ checked: FileStatus) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return false }
        let present = FileStatus(status)
        return present.device == checked.device && present.inode == checked.inode && present.owner == checked.owner
            && present.mode == checked.mode
    }
}
