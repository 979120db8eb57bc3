import Glibc
import LatchkeySecrets

extension Descriptor {
    /// Reads bytes from `offset` into the start of `span`. Returns their number; 0 at the end of the file.
    func read(into span: inout MutableSpan<UInt8>, at offset: Int) throws(FileError) -> Int {
        try unsafe span.withUnsafeMutableBufferPointer { (buffer) throws(FileError) in
            while true {
                let count = unsafe pread(number, buffer.baseAddress, buffer.count, offset)
                if count >= 0 { return count }
                guard errno == EINTR else { throw .current }
            }
        }
    }

    /// `count` bytes from `offset` on; fewer if the file ends earlier.
    func bytes(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let now = try unsafe bytes.withUnsafeMutableBufferPointer { (buffer) throws(FileError) in
                var rest = unsafe buffer.extracting(filled...).mutableSpan
                return try read(into: &rest, at: offset + filled)
            }
            guard now > 0 else { return Array(bytes[..<filled]) }
            filled += now
        }
        return bytes
    }

    /// Reads to the end of the file into locked memory. Throws if there are more than `limit` bytes.
    func readSecret(limit: Int) throws(FileError) -> SecretBytes {
        try SecretBytes(upTo: limit) { (rest) throws(FileError) in
            try unsafe rest.withUnsafeMutableBytes { (bytes) throws(FileError) in try unsafe read(into: bytes) ?? 0 }
        }
    }

    /// Reads to the end of the file. Throws if there are more than `limit` bytes.
    func read(limit: Int) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16384)
        while true {
            let count = try unsafe chunk.withUnsafeMutableBufferPointer { (buffer) throws(FileError) in
                try unsafe self.read(into: UnsafeMutableRawBufferPointer(buffer)) ?? 0
            }
            guard count > 0 else { return bytes }
            guard bytes.count + count <= limit else { throw .tooLarge(limit: limit) }
            bytes += chunk[..<count]
        }
    }
}

extension SecretBytes {
    /// Collects the bytes that `read` writes into its span, until it returns 0.
    ///
    /// - Parameter limit: the maximum number of bytes.
    init(upTo limit: Int, reading read: (inout MutableSpan<UInt8>) throws(FileError) -> Int) throws(FileError) {
        // One extra byte detects an input that is too long.
        self.init(capacity: limit + 1)
        try unsafe fill { (buffer) throws(FileError) in
            var filled = 0
            while true {
                var rest = unsafe buffer.extracting(filled...).mutableSpan
                let count = try read(&rest)
                guard count > 0 else { return filled }
                filled += count
                guard filled <= limit else { throw .tooLarge(limit: limit) }
            }
        }
    }
}
