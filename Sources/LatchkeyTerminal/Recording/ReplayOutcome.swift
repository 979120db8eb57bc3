/// What a replay has shown.
public enum ReplayOutcome: Equatable, Sendable {
    /// Everything that was recorded happened again.
    case same(lines: Int, frames: Int, events: Int)
    case differs(RecordingDifference)
}
