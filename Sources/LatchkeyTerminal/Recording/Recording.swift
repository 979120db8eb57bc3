import LatchkeyForms

/// A session as it was recorded.
public struct Recording: Sendable {
    let start: RecordingStart
    let forms: FormCatalogue
    /// Those behind the first.
    let lines: [RecordingLine]

    /// Reads the lines of a recording, one after another.
    public struct Reader {
        private var start: (RecordingStart, FormCatalogue)?
        private var lines: [RecordingLine] = []
        private var number = 0
        private var hasEnded = false

        public init() {}

        /// The next line, without its end.
        ///
        /// - Throws: why it cannot stand here; what was read before is of no use then.
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

        /// The line that comes next has more bytes than any that is written.
        public func tooLong() -> RecordingProblem { RecordingProblem(line: number + 1, .tooLong) }

        /// All lines are read. A session need not have ended: whatever ended the program has ended its recording.
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
                return (start, try start.setting.forms())
            } catch {
                throw RecordingProblem(line: 1, .form(error))
            }
        }

        private func problem(_ reason: RecordingProblem.Reason) -> RecordingProblem {
            RecordingProblem(line: number, reason)
        }
    }

    /// Of the terminal at the start.
    public var size: TerminalSize { start.size }

    /// The program that has recorded it.
    public var version: String { start.setting.version }
}

extension Span<UInt8> {
    fileprivate var first: UInt8? { isEmpty ? nil : self[0] }
}
