import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem

/// Reads secrets line by line through one locked buffer.
struct SecretLines: ~Copyable {
    private var lines: InputLines

    /// - Parameter name: the source's name in error messages.
    init(_ source: GivenFile, named name: String) {
        lines = InputLines(source, named: name, blockBytes: 4096)
    }

    /// The next line without its newline (LF or CR LF). A line longer than `maximumBytes` is truncated to a length
    /// above the limit, so that the caller can detect it.
    mutating func line(maximumBytes: Int, flag: String) throws(ToolFailure) -> Secret {
        repeat {
            var secret: Secret?
            let isThere = lines.take { line, bytes in
                guard line == .whole else {
                    secret = Secret(copying: Array(repeating: UInt8(ascii: "x"), count: maximumBytes + 1).span)
                    return
                }
                let hasReturn = !bytes.isEmpty && bytes[bytes.count - 1] == UInt8(ascii: "\r")
                let count = min(bytes.count - (hasReturn ? 1 : 0), maximumBytes + 1)
                secret = Secret(copying: bytes.extracting(..<count))
            }
            if isThere, let secret { return secret }
        } while try lines.refill()
        throw .secretMissing(flag: flag)
    }

    /// Refuses remaining lines, which were probably meant for another flag.
    mutating func refuseRest() throws(ToolFailure) {
        repeat { if lines.hasBytes { throw .inputLeftOver } } while try lines.refill()
    }
}
