public import LatchkeyForms

/// Why a file is no recording, or none that this version can replay.
public struct RecordingProblem: Error, Equatable, Sendable {
    /// From 1.
    public let line: Int
    public let reason: Reason

    public enum Reason: Equatable, Sendable {
        /// It does not begin as a recording does.
        case noRecording
        /// Of a later version of the format.
        case newer(version: Int)
        /// No JSON.
        case notJSON
        /// It ends in the middle.
        case cut
        /// JSON, but no line that this version knows.
        case unknown
        /// Earlier than the line before it.
        case backwards
        /// There is no more after the end of a session.
        case afterEnd
        /// A description of a form is refused.
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
