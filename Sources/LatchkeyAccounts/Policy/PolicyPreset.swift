/// The numbers that belong together as one policy. Who judges, books or keeps by a policy takes them from here.
public struct PolicyPreset: Equatable, Sendable {
    /// As the setting calls it.
    public let name: String

    /// Of a new password, in code points after preparation.
    public let minimumLength: Int

    public let sessions: SessionLimits

    /// After so many failures since the last success no password opens the account until it is recovered; nil where a
    /// password is never disabled, since anybody can drive such a counter (ASVS 5.0, 6.1.1).
    public let failuresUntilRecovery: Int?

    /// Whether a password that an operator gives has to be changed although the operator did not ask for that.
    public let operatorPasswordsMustChange: Bool

    /// Whether the session of a user of this machine may lie on a disk, and so outlive a log-out from the machine.
    public let keepsSessionsOnDisk: Bool

    /// The default: at least 9 code points, more than the 8 of ASVS 5.0, 6.2.1. It does not meet NIST SP 800-63B-4.
    public static let standard = PolicyPreset(
        name: "standard", minimumLength: 9, sessions: SessionLimits(), failuresUntilRecovery: nil,
        operatorPasswordsMustChange: false, keepsSessionsOnDisk: true)

    /// NIST SP 800-63B-4 for a password that is the only factor: 15 code points (section 3.1.1.2), 100 failures (3.2.2),
    /// sessions of a day or an hour unused (2.2.3, stricter than a password alone asks for), and none on a disk (5.1).
    public static let nist = PolicyPreset(
        name: "nist", minimumLength: 15,
        sessions: SessionLimits(absolute: .seconds(86400), idle: .seconds(3600)), failuresUntilRecovery: 100,
        operatorPasswordsMustChange: true, keepsSessionsOnDisk: false)

    public static let all = [standard, nist]

    /// The one that the setting calls so.
    public init?(named name: String) {
        guard let preset = Self.all.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else { return nil }
        self = preset
    }

    private init(
        name: String, minimumLength: Int, sessions: SessionLimits, failuresUntilRecovery: Int?,
        operatorPasswordsMustChange: Bool, keepsSessionsOnDisk: Bool
    ) {
        self.name = name
        self.minimumLength = minimumLength
        self.sessions = sessions
        self.failuresUntilRecovery = failuresUntilRecovery
        self.operatorPasswordsMustChange = operatorPasswordsMustChange
        self.keepsSessionsOnDisk = keepsSessionsOnDisk
    }

    /// How many guesses at one account's password are judged in `time`, of somebody who makes each as soon as may be.
    public func guesses(in time: Duration) -> Int {
        let start = Timestamp(milliseconds: 0)
        var now = start
        var failures: ThrottleFailures?
        var count = 0
        while !demandsRecovery(after: failures) {
            now = now.advanced(by: ThrottleSchedule.remainingDelay(of: failures, at: now))
            guard now.since(start) < time else { break }
            failures = ThrottleSchedule.booking(failures, at: now)
            count += 1
        }
        return count
    }

    /// Whether whoever has failed so often since the last success has to recover the account.
    func demandsRecovery(after failures: ThrottleFailures?) -> Bool {
        guard let failures, let limit = failuresUntilRecovery else { return false }
        return failures.total >= limit
    }
}
