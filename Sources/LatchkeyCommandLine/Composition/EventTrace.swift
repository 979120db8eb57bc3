import Glibc
import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeySystem

/// `--trace FILE`: every event of a run, a line of JSON each, there however the run ends.
///
/// Loses nothing: what it is too slow for waits in memory, and then in a file without a name beside FILE.
final class EventTrace: Sendable {
    private let path: String
    private let writer: Writer
    private let listener: EventListener

    /// How every line begins: what does not is no trace, and nothing is added to it.
    private static let beginning = Array(#"{"event":""#.utf8)

    /// Listens to `events` from now on.
    ///
    /// - Throws: status 64 for `-`, for standard output is the results'; 73 where there is another kind of file, 77 where
    ///   others could read it.
    init(of events: AccountEvents, in path: String) throws(ToolFailure) {
        guard path != "-", path.utf8.last != UInt8(ascii: "/") else {
            throw .badPath(name: "--trace")
        }
        self.path = path
        let place = FilePlace(path)
        let (file, isTrace): (GrowingFile, Bool)
        do throws(FileError) {
            file = try GrowingFile(place.name, in: GuardedFolder(at: place.folder))
            isTrace = try Self.continues(file)
        } catch .exposed(let place) {
            throw .traceExposed(path: place)
        } catch {
            throw .making(path, error)
        }
        guard isTrace else { throw .traceForeign(path: path) }
        writer = Writer(file, events.events(.lossless(.lines(inFolder: place.folder))))
        // Only to be woken: what has happened is in the feed before, and is there for whoever writes first.
        listener = events.events(.bounded(1)) { _ in true }.listen { [writer] _ in writer.write() }
        ExitHandlers.add { [writer] in writer.write() }
        do throws(SystemError) { try ExitHandlers.watch([SIGINT, SIGTERM, SIGHUP, SIGQUIT]) } catch {
            throw ToolFailure(AccountError.outOfMemory)
        }
    }

    /// Whether it is empty or a trace; one whose last line was cut short gets a new line first.
    private static func continues(_ file: GrowingFile) throws(FileError) -> Bool {
        let size = try file.size
        guard size > 0 else { return true }
        guard try file.read(at: 0, limit: beginning.count) == beginning else { return false }
        if try file.read(at: size - 1, limit: 1) != [UInt8(ascii: "\n")] {
            try file.append([UInt8(ascii: "\n")].span)
        }
        return true
    }

    /// Writes what waits. Says so where a line could not be written: with that one the trace ends.
    func finish(_ output: Output, _ messages: MessageTable) {
        guard !writer.write() else { return }
        output.problem(messages.sentence("tool.trace_cut", ["path": .text(path)]))
    }

    private final class Writer: Sendable {
        private let file: GrowingFile
        private let feed: EventFeed<AccountEvent>
        private let hasFailed = Locked(false)

        init(_ file: GrowingFile, _ feed: EventFeed<AccountEvent>) {
            self.file = file
            self.feed = feed
        }

        /// Writes what waits, in whichever thread; false once a line could not be written.
        @discardableResult
        func write() -> Bool {
            hasFailed.withLock { hasFailed in
                while let heard = feed.poll() {
                    if hasFailed { continue }
                    do throws(FileError) {
                        try file.append(Array((heard.line + "\n").utf8).span)
                    } catch {
                        hasFailed = true
                    }
                }
                return !hasFailed
            }
        }
    }
}

extension DeliveredEvent<AccountEvent> {
    /// As a trace has it; a gap too, which there is where the disk was full.
    fileprivate var line: String {
        switch self {
        case .event(let event): event.line
        case .missed(let count): JSONValue.object([("event", .string("missed")), ("count", .integer(count))]).encoded
        }
    }
}
