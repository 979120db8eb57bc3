/// The most that a stored hash may ask for: whoever can write a row must not make the process take all memory.
public struct StoredCostCaps: Equatable, Sendable {
    /// KiB.
    public let memory: UInt32
    /// Passes over the memory.
    public let iterations: UInt32
    /// Lanes.
    public let parallelism: UInt32
    /// KiB times passes, to which the time is proportional.
    public let work: UInt64
    /// Of other schemes.
    public var foreign = ForeignCostCaps()

    /// 256 MiB, 64 passes, 16 lanes, and 1 GiB of memory passed over, which takes about 0.7 seconds.
    public static let standard = StoredCostCaps(
        memory: 256 << 10, iterations: 64, parallelism: 16, work: 1 << 20)

    /// - Parameters:
    ///   - memory: KiB.
    ///   - iterations: passes over the memory.
    ///   - parallelism: lanes.
    ///   - work: KiB times passes.
    public init(memory: UInt32, iterations: UInt32, parallelism: UInt32, work: UInt64) {
        self.memory = memory
        self.iterations = iterations
        self.parallelism = parallelism
        self.work = work
    }

    func allow(_ parameters: Argon2Parameters) -> Bool {
        parameters.memory <= memory && parameters.iterations <= iterations && parameters.parallelism <= parallelism
            && parameters.work <= work
    }
}
