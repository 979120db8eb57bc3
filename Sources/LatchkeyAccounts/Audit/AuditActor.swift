/// Who asked for what an audit record tells.
public enum AuditActor: Hashable, Sendable {
    /// Somebody who has proved to be the account's owner, or tries to.
    case owner
    /// Whoever runs the process, by the number of their user in the operating system.
    case operatingSystemUser(UInt32)
}
