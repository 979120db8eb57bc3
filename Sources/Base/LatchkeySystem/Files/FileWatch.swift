import Glibc

/// Waits for changes to one file (inotify(7)), even if an editor replaces it with a new file.
package final class FileWatch: Sendable {
    private let name: [UInt8]
    private let descriptor: Descriptor

    /// Starts watching the file at `path`. The file need not exist, but its folder must.
    package init(_ path: String) throws(FileError) {
        let place = FilePlace(path)
        name = Array(place.name.utf8)
        descriptor = try Descriptor(taking: inotify_init1(Int32(IN_CLOEXEC)))
        let events = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO)
        guard unsafe inotify_add_watch(descriptor.number, place.folder, events) >= 0 else { throw .current }
    }

    /// Blocks until the file is written or replaced.
    ///
    /// - Returns: false if the folder can no longer be watched.
    package func wait() -> Bool {
        // The buffer has room for several events with names of the maximum length (NAME_MAX).
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)
        defer { unsafe buffer.deallocate() }
        while true {
            guard let count = unsafe try? descriptor.read(into: buffer), count > 0 else { return false }
            if unsafe isNamed(in: UnsafeRawBufferPointer(rebasing: buffer[..<count])) { return true }
        }
    }

    /// Whether an event concerns the file. An event consists of four 32-bit numbers and the name, padded with NULs. The
    /// last number is the length of the name.
    private func isNamed(in events: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        while offset + 16 <= events.count {
            let length = Int(unsafe events.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
            guard offset + 16 + length <= events.count else { return false }
            let found = unsafe events[(offset + 16)..<(offset + 16 + length)].prefix { $0 != 0 }
            if unsafe found.elementsEqual(name) { return true }
            offset += 16 + length
        }
        return false
    }
}
