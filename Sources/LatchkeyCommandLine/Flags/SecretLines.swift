import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem
import LatchkeyText

/// Reads secrets line by line through one locked buffer.
struct SecretLines: ~Copyable {
    private static let bufferBytes = 4096

    private let source: GivenFile
    private let name: String
    private var buffer = SecretBytes(capacity: Self.bufferBytes)
    private var position = 0
    private var hasEnded = false

    /// - Parameter name: the source's name in errors.
    init(_ source: GivenFile, named name: String) {
        self.source = source
        self.name = name
    }

    /// The next line without its newline (LF or CR LF). A line longer than `maximumBytes` is cut to a length that still
    /// exceeds it, so that the caller sees that it is too long.
    mutating func line(maximumBytes: Int, flag: String) throws(ToolFailure) -> Secret {
        // Two bytes more: one for a line that is too long, and one for the CR of a CR LF.
        var line = SecretBytes(capacity: maximumBytes + 2)
        var isEmptyInput = true
        var isWhole = false
        while !isWhole, try hasMore() {
            isEmptyInput = false
            isWhole = takePiece(into: &line)
        }
        guard !isEmptyInput else { throw .secretMissing(flag: flag) }
        let end = line.count
        let hasCarriageReturn = line.withBytes { end > 0 && $0[end - 1] == UInt8(ascii: "\r") }
        if hasCarriageReturn { _ = line.replaceSubrange((end - 1)..<end, with: Span()) }
        return Secret(line)
    }

    /// Refuses lines that no flag asks for: they probably belong to another flag.
    mutating func refuseRest() throws(ToolFailure) {
        if try hasMore() { throw .inputLeftOver }
    }

    private mutating func hasMore() throws(ToolFailure) -> Bool {
        if position == buffer.count { try refill() }
        return position < buffer.count
    }

    /// Moves bytes from the buffer to `line`, up to the end of the line or of its capacity.
    ///
    /// - Returns: whether the line has ended.
    private mutating func takePiece(into line: inout SecretBytes) -> Bool {
        let start = position
        let room = line.capacity - line.count
        let end = buffer.withBytes { bytes in
            let end = bytes.firstIndex(of: UInt8(ascii: "\n"), from: start) ?? bytes.count
            _ = line.append(bytes.extracting(start..<min(end, start + room)))
            return end
        }
        position = min(end + 1, buffer.count)
        return end < buffer.count
    }

    private mutating func refill() throws(ToolFailure) {
        guard !hasEnded else { return }
        position = 0
        let source = source
        do throws(FileError) {
            try unsafe buffer.fill { (bytes) throws(FileError) in
                var span = unsafe bytes.mutableSpan
                return try source.read(into: &span)
            }
        } catch {
            throw .reading(name, error)
        }
        hasEnded = buffer.isEmpty
    }
}
