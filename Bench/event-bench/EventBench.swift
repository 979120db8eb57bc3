import EventBurst
import Glibc
import LatchkeySystem

/// `scripts/bench events`: measures a burst of events.
@main enum EventBench {
    static func main() async {
        let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
        let before = peak
        let burst = await EventBurst(of: count)
        print("\(count) events, \(burst.hearings.count) listeners")
        print("  emitted in \(burst.emission): \(perSecond(count, burst.emission)) a second")
        print("  heard in \(burst.whole): \(perSecond(count, burst.whole)) a second")
        print("  memory at its most: \(peak) KiB, \(before) KiB of it before")
        for hearing in burst.hearings {
            let name = hearing.name + String(repeating: " ", count: max(0, 24 - hearing.name.count))
            let order = hearing.isInOrder ? "in order" : "OUT OF ORDER"
            print("  \(name) heard \(hearing.events), missed \(hearing.missed), \(order)")
        }
    }

    private static func perSecond(_ count: Int, _ duration: Duration) -> Int {
        Int(Double(count) / (duration / .seconds(1)))
    }

    /// The peak memory in KiB (getrusage(2)).
    private static var peak: Int {
        var usage = rusage()
        _ = unsafe getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss
    }
}
