import LatchkeySecrets
import LatchkeySystem

extension GuardedFolder {
    /// SHA-256 of a file of ours, and its size in bytes.
    func digest(of name: String) throws(FileError) -> (digest: [UInt8], size: Int) {
        try check(name)
        let file = try GivenFile(at: path(of: name))
        var running = SHA256Digest.Running()
        var size = 0
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            var span = chunk.mutableSpan
            let count = try file.read(into: &span)
            guard count > 0 else { return (running.finish(), size) }
            running.add(chunk.span.extracting(..<count))
            size += count
        }
    }

    /// Makes `name` with the bytes of `file`, and answers their SHA-256.
    func create(_ name: String, from file: GivenFile) throws(FileError) -> [UInt8] {
        var running = SHA256Digest.Running()
        try create(name) { (span) throws(FileError) in
            let count = try file.read(into: &span)
            running.add(span.span.extracting(..<count))
            return count
        }
        return running.finish()
    }
}
