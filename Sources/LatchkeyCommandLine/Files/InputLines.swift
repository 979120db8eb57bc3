import LatchkeySecrets
import LatchkeySystem
import LatchkeyText

/// Cuts what comes in blocks into lines, in one locked buffer that is wiped, for a line may hold a secret.
///
/// It grows with the longest line, up to ``maximumBytes``; of a longer one nothing is kept.
struct InputLines: ~Copyable {
    /// Of a line, without its newline.
    static let maximumBytes = 1_048_576
    private static let blockBytes = 65_536

    enum Line {
        case whole, overlong
    }

    private let source: GivenFile
    private let name: String
    private var buffer = SecretBytes(capacity: Self.blockBytes)
    /// Where the next line begins in the buffer.
    private var start = 0
    /// Up to where no newline is.
    private var searched = 0
    private var skips = false
    private var hasEnded = false

    /// - Parameter name: what the source is called where it fails.
    init(_ source: GivenFile, named name: String) {
        self.source = source
        self.name = name
    }

    /// Whether more can be had without waiting.
    var isReady: Bool { source.isReady }

    /// Lends the next line that is there, without its newline; nothing of one that is too long.
    ///
    /// - Returns: false where more has to be read first.
    mutating func take(_ body: (Line, Span<UInt8>) -> Void) -> Bool {
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

    /// Reads on; false at the end, when ``take(_:)`` gives what is left.
    mutating func refill() throws(ToolFailure) -> Bool {
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

    /// Wipes what was taken, moves the rest to the start, and sees that there is room behind it.
    private mutating func makeRoom() {
        _ = buffer.replaceSubrange(0..<start, with: Span())
        searched -= start
        start = 0
        guard buffer.count == buffer.capacity else { return }
        if buffer.count > Self.maximumBytes {
            // One byte too many already: the rest of the line is read over.
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
