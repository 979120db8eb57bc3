import LatchkeyFlows
import LatchkeyForms
import LatchkeySystem

/// `--trace FILE`: writes each event of a run as a line of JSON during its emission. Each line is therefore in the file
/// before the run continues, even if it crashes later.
final class EventTrace: Sendable {
    private let path: String
    private let feed: EventFeed<Never>
    private let hasFailed = Locked(false)

    /// The start of every line. A file that begins differently is not a trace and is not changed.
    private static let beginning = Array(#"{"event":""#.utf8)

    /// Starts to write the `events`.
    ///
    /// - Throws: status 64 for `-`, because results go to standard output; 73 if the file is not a trace; 77 if other
    ///   users could read it.
    init(of events: AccountEvents, in path: String) throws(ToolFailure) {
        guard path != "-", path.utf8.last != UInt8(ascii: "/") else {
            throw .badValue("--trace", .path)
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
        feed = events.events { [hasFailed] event -> Never? in
            hasFailed.withLock { hasFailed in
                // Stops after a failed write, because the line may be incomplete.
                if hasFailed { return }
                do throws(FileError) { try file.append(Array((event.line + "\n").utf8).span) } catch {
                    hasFailed = true
                }
            }
            return nil
        }
    }

    /// Whether the file is empty or a trace. Completes a last line that was cut off.
    private static func continues(_ file: GrowingFile) throws(FileError) -> Bool {
        let size = try file.size
        guard size > 0 else { return true }
        guard try file.read(at: 0, limit: beginning.count) == beginning else { return false }
        if try file.read(at: size - 1, limit: 1) != [UInt8(ascii: "\n")] {
            try file.append([UInt8(ascii: "\n")].span)
        }
        return true
    }

    /// Reports a line that could not be written, at which the trace ends.
    func finish(_ output: Output, _ messages: MessageTable) {
        guard hasFailed.withLock({ $0 }) else { return }
        output.problem(messages.sentence("tool.trace_cut", ["path": .text(path)]))
    }
}
