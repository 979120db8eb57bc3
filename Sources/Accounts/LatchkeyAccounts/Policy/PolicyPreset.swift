/// The limits of one policy. They are defined only here.
public struct PolicyPreset: Equatable, Sendable {
    /// The preset's name, as used in the setting.
    public let name: String

    /// The minimum length of a new password, in code points after preparation.
    public let minimumLength: Int

    /// The minimum length for an account with a second factor.
    public let minimumLengthWithFactor: Int

    /// Whether to accept the previous one-time password too (RFC 6238, section 5.2). Accepting it does not meet ASVS
    /// 5.0, 6.5.5.
    public let allowsPreviousCode: Bool

    /// The lifetime of sessions and the maximum number per account.
    public let sessions: SessionLimits

    /// The number of failures since the last success after which the owner must recover the account; nil for no limit.
    ///
    /// Anyone can cause failures, so by default they never disable a password (ASVS 5.0, 6.1.1).
    public let failuresUntilRecovery: Int?

    /// Whether the owner must change every password that an operator sets.
    public let operatorPasswordsMustChange: Bool

    /// Whether a local session may be stored on disk, where it survives a logout from the operating system.
    public let keepsSessionsOnDisk: Bool

    /// The default: at least 9 code points, more than the 8 of ASVS 5.0, 6.2.1. It does not meet NIST SP 800-63B-4.
    public static let standard = PolicyPreset(
        name: "standard", minimumLength: 9, minimumLengthWithFactor: 9, allowsPreviousCode: true,
        sessions: SessionLimits(), failuresUntilRecovery: nil,
        operatorPasswordsMustChange: false, keepsSessionsOnDisk: true)

    /// The limits of NIST SP 800-63B-4.
    ///
    /// It requires 15 code points if the password is the only factor (section 3.1.1.2). It allows 100 failures (3.2.2),
    /// and sessions of one day or one idle hour (2.2.3, stricter than required for a password alone). It allows no
    /// session on disk (5.1).
    public static let nist = PolicyPreset(
        name: "nist", minimumLength: 15, minimumLengthWithFactor: 9, allowsPreviousCode: false,
        sessions: SessionLimits(absolute: .seconds(86400), idle: .seconds(3600)), failuresUntilRecovery: 100,
        operatorPasswordsMustChange: true, keepsSessionsOnDisk: false)

    /// All presets.
    public static let all = [standard, nist]
}

extension PolicyPreset {
    /// The preset with this name; nil if there is none.
    public init?(named name: String) {
        guard let preset = Self.all.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else { return nil }
        self = preset
    }

    /// The maximum number of guesses at one account's password that Latchkey verifies in `time` during a continuous
    /// attack.
    ///
    /// The number includes every extra attempt. An attacker cannot use all of them, because each extra attempt delays
    /// the next ordinary one.
    public func guesses(in time: Duration) -> Int {
        let start = Timestamp(milliseconds: 0)
        var now = start
        var failures: ThrottleFailures?
        var count = 0
        while true {
            now = now.advanced(by: ThrottleSchedule.remainingDelay(of: failures, at: now))
            guard now.since(start) < time else { break }
            failures = ThrottleSchedule.booking(failures, at: now)
            count += 1
        }
        let extra = Int(clamping: time.components.seconds / ExtraAttempt.window.components.seconds + 1)
        return min(count + extra, failuresUntilRecovery ?? .max)
    }

    /// Whether the owner must recover an account with these failures.
    func demandsRecovery(after failures: ThrottleFailures?) -> Bool {
        guard let failures, let limit = failuresUntilRecovery else { return false }
        return failures.total >= limit
    }
}
