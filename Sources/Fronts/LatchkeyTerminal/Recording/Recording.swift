public import LatchkeyForms

/// A recorded session.
public struct Recording: Sendable {
    let start: RecordingStart
    let forms: FormCatalogue
    /// All lines after the first.
    let lines: [RecordingLine]

    /// Reads a recording line by line.
    public struct Reader {
        private var start: (RecordingStart, FormCatalogue)?
        private var lines: [RecordingLine] = []
        private var number = 0
        private var hasEnded = false

        public init() {}

        /// Reads the next line, without its line break.
        ///
        /// - Throws: why the line is not valid here. The reader cannot be used after that.
        public mutating func read(_ line: Span<UInt8>) throws(RecordingProblem) {
            number += 1
            let json = try json(line)
            guard start != nil else {
                start = try Self.start(json)
                return
            }
            guard let line = RecordingLine(json: json) else { throw problem(.unknown) }
            guard !hasEnded else { throw problem(.afterEnd) }
            guard line.at >= lines.last?.at ?? 0 else { throw problem(.backwards) }
            if case .ended = line.content { hasEnded = true }
            lines.append(line)
        }

        /// The problem of a next line that is longer than any valid line.
        public func tooLong() -> RecordingProblem { RecordingProblem(line: number + 1, .tooLong) }

        /// The recording, after the last line. It need not contain the session's end, because the program may have died.
        public func finish() throws(RecordingProblem) -> Recording {
            guard let start else { throw RecordingProblem(line: 1, .noRecording) }
            return Recording(start: start.0, forms: start.1, lines: lines)
        }

        private func json(_ line: Span<UInt8>) throws(RecordingProblem) -> JSONValue {
            do throws(JSONReader.Failure) {
                return try JSONReader.read(line).value
            } catch {
                if error.problem == .unexpectedEnd, number > 1 || line.first == UInt8(ascii: "{") {
                    throw problem(.cut)
                }
                throw problem(number == 1 ? .noRecording : .notJSON)
            }
        }

        private static func start(
            _ json: JSONValue
        ) throws(RecordingProblem) -> (RecordingStart, FormCatalogue) {
            guard let version = json["recording"]?.integer, version > 0 else {
                throw RecordingProblem(line: 1, .noRecording)
            }
            guard version <= RecordingStart.version else { throw RecordingProblem(line: 1, .newer(version: version)) }
            guard let start = RecordingStart(json: json) else { throw RecordingProblem(line: 1, .unknown) }
            do throws(FormDescriptionError) {
                return (start, try start.configuration.forms())
            } catch {
                throw RecordingProblem(line: 1, .form(error))
            }
        }

        private func problem(_ reason: RecordingProblem.Reason) -> RecordingProblem {
            RecordingProblem(line: number, reason)
        }
    }

    /// The size of the terminal at the start.
    public var size: TerminalSize { start.size }

    /// The recorded screens that show something, in order.
    package var frames: [Frame] {
        lines.compactMap { line in
            if case .frame(let frame) = line.content, !frame.lines.isEmpty { frame } else { nil }
        }
    }

    /// The version of the program that recorded the session.
    public var version: String { start.configuration.version }
}

extension Span<UInt8> {
    fileprivate var first: UInt8? { isEmpty ? nil : self[0] }
}

/// Why a file is not a recording, or not one that this version can replay.
public struct RecordingProblem: Error, Equatable, Sendable {
    /// The line number, from 1.
    public let line: Int
    public let reason: Reason

    /// What is wrong with the line.
    public enum Reason: Equatable, Sendable {
        /// The file does not begin like a recording.
        case noRecording
        /// The recording has a later version of the format.
        case newer(version: Int)
        /// The line is not JSON.
        case notJSON
        /// The line ends too early.
        case cut
        /// The line is JSON, but unknown to this version.
        case unknown
        /// The time is earlier than that of the line before.
        case backwards
        /// The session has already ended.
        case afterEnd
        /// A form description is not valid.
        case form(FormDescriptionError)
        case tooLong
    }

    public init(line: Int, _ reason: Reason) {
        self.line = line
        self.reason = reason
    }
}

extension RecordingProblem.Reason {
    /// The name of the reason, for sentences and tests.
    public var name: String {
        switch self {
        case .noRecording: "none"
        case .newer: "newer"
        case .notJSON: "json"
        case .cut: "cut"
        case .unknown: "unknown"
        case .backwards: "backwards"
        case .afterEnd: "after_end"
        case .form: "form"
        case .tooLong: "too_long"
        }
    }
}
