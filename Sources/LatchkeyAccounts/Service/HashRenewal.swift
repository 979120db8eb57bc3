/// Which stored hashes are made anew when their owners log in, which is when their passwords are at hand.
public enum HashRenewal: Sendable {
    /// None.
    case never
    /// Those of other schemes and with other parameters, but none that is dearer than new ones are.
    case upwards
    /// Those that are dearer, too.
    case always
}
