import Glibc
import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem
import LatchkeyText

/// Reads a file in blocks and splits it into lines. The buffer is locked and wiped, because lines may contain secrets.
///
/// The buffer grows with the longest line, up to ``maximumBytes``. Longer lines are discarded.
package struct InputLines: ~Copyable {
    /// The maximum length of a line in bytes, without its newline.
    static let maximumBytes = 1_048_576

    /// The result of reading a line.
    package enum Line {
        case whole
        /// A line longer than ``InputLines/maximumBytes``, whose bytes are discarded.
        case overlong
    }

    private let source: GivenFile
    private let name: String
    private var buffer: SecretBytes
    /// The start of the next line in the buffer.
    private var start = 0
    /// The position up to which the buffer contains no newline.
    private var searched = 0
    /// Whether the rest of an overlong line is being skipped.
    private var skips = false
    private var hasEnded = false

    /// - Parameters:
    ///   - name: the source's name in error messages.
    ///   - blockBytes: the initial size of the buffer.
    init(_ source: GivenFile, named name: String, blockBytes: Int = 65_536) {
        buffer = SecretBytes(capacity: blockBytes)
        self.source = source
        self.name = name
    }

    /// Whether the buffer contains bytes that were not taken.
    var hasBytes: Bool { start < buffer.count }

    /// Whether a read would return without waiting.
    var isReady: Bool { source.isReady }

    /// Passes the next complete line to `body`, without its newline; an overlong line is passed as empty.
    ///
    /// - Returns: false if more bytes must be read first.
    package mutating func take(_ body: (Line, Span<UInt8>) -> Void) -> Bool {
        guard start < buffer.count || (skips && hasEnded) else { return false }
        let (start, searched, hasEnded) = (start, searched, hasEnded)
        let end = buffer.withBytes { bytes in
            bytes.firstIndex(of: UInt8(ascii: "\n"), from: searched) ?? (hasEnded ? bytes.count : nil)
        }
        guard let end else {
            self.searched = buffer.count
            return false
        }
        let isOverlong = skips || end - start > Self.maximumBytes
        buffer.withBytes { body(isOverlong ? .overlong : .whole, $0.extracting(start..<(isOverlong ? start : end))) }
        skips = false
        self.start = min(end + 1, buffer.count)
        self.searched = self.start
        return true
    }

    /// Reads the next block. Returns false at the end of the file, when ``take(_:)`` returns the last line.
    package mutating func refill() throws(ToolFailure) -> Bool {
        guard !hasEnded else { return false }
        makeRoom()
        let source = source
        do throws(FileError) {
            let count = try unsafe buffer.extend { (room) throws(FileError) in
                var room = unsafe room.mutableSpan
                return try source.read(into: &room)
            }
            hasEnded = count == 0
        } catch {
            throw .reading(name, error)
        }
        return true
    }

    /// Wipes the lines taken so far, moves the rest to the start, and makes room after it.
    private mutating func makeRoom() {
        _ = buffer.replaceSubrange(0..<start, with: Span())
        searched -= start
        start = 0
        guard buffer.count == buffer.capacity else { return }
        if buffer.count > Self.maximumBytes {
            // The line already exceeds the limit by one byte, so the rest is skipped.
            skips = true
            buffer.removeAll()
            searched = 0
        } else {
            var larger = SecretBytes(capacity: min(buffer.capacity * 4, Self.maximumBytes + 1))
            _ = buffer.withBytes { larger.append($0) }
            buffer = larger
        }
    }
}

extension InputLines {
    /// The lines of standard input.
    static func ofStandardInput(_ messages: MessageTable) throws(ToolFailure) -> InputLines {
        let name = messages.sentence("tool.standard_input")
        return InputLines(try InputFiles.inherited(named: name), named: name)
    }

    /// The lines of the file at `path`; `-` is standard input.
    package static func of(_ path: String, _ context: CommandContext) throws(ToolFailure) -> InputLines {
        let name = path == "-" ? context.messages.sentence("tool.standard_input") : path
        return InputLines(try InputFiles.openOrStandardInput(path, context), named: name)
    }
}
