import Glibc
import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeySystem

/// `--trace FILE`: writes every event of a run as a line of JSON, even if the run ends by a signal.
///
/// Loses no event: those that wait are buffered in memory, and then in an unnamed file next to FILE.
final class EventTrace: Sendable {
    private let path: String
    private let writer: Writer
    private let listener: EventListener

    /// How every line begins; a file that begins otherwise is no trace and stays unchanged.
    private static let beginning = Array(#"{"event":""#.utf8)

    /// Listens to `events` from now on.
    ///
    /// - Throws: status 64 for `-`, because results go to standard output; 73 if the file is no trace, 77 if other users
    ///   could read it.
    init(of events: AccountEvents, in path: String) throws(ToolFailure) {
        guard path != "-", path.utf8.last != UInt8(ascii: "/") else {
            throw .badPath(name: "--trace")
        }
        self.path = path
        let place = FilePlace(path)
        let (file, isTrace): (GrowingFile, Bool)
        do throws(FileError) {
            file = try GrowingFile(place.name, in: GuardedFolder(at: place.folder, mayBeShared: true))
            isTrace = try Self.continues(file)
        } catch .exposed(let place) {
            throw .traceExposed(path: place)
        } catch .openFolder(let place) {
            throw .traceExposed(path: place)
        } catch {
            throw .making(path, error)
        }
        guard isTrace else { throw .traceForeign(path: path) }
        writer = Writer(file, events.events(.lossless(.lines(inFolder: place.folder))))
        // This listener only wakes the writer; the events are in the feed.
        listener = events.events(.bounded(1)) { _ in true }.listen { [writer] _ in writer.write() }
        ExitHandlers.add { [writer] in writer.write() }
        do throws(SystemError) { try ExitHandlers.watch([SIGINT, SIGTERM, SIGHUP, SIGQUIT]) } catch {
            throw ToolFailure(AccountError.outOfMemory)
        }
    }

    /// Whether the file is empty or a trace. Ends a last line that was cut short.
    private static func continues(_ file: GrowingFile) throws(FileError) -> Bool {
        let size = try file.size
        guard size > 0 else { return true }
        guard try file.read(at: 0, limit: beginning.count) == beginning else { return false }
        if try file.read(at: size - 1, limit: 1) != [UInt8(ascii: "\n")] {
            try file.append([UInt8(ascii: "\n")].span)
        }
        return true
    }

    /// Writes the buffered events, and reports a line that could not be written: the trace ends there.
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

        /// Writes the buffered events, on any thread. Returns false once a line could not be written.
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
    /// The line of the trace; a gap after a full disk has one too.
    fileprivate var line: String {
        switch self {
        case .event(let event): event.line
        case .missed(let count): JSONValue.object([("event", .string("missed")), ("count", .integer(count))]).encoded
        }
    }
}
