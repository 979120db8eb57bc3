import Glibc
import LatchkeySecrets
import LatchkeySystem

/// Reads a terminal on a thread of its own, for reading blocks. What it reads is wiped as soon as it is decoded.
final class TerminalReader: Sendable {
    private let terminal: Int32
    /// The same terminal, opened once more so as not to wait in a read: Ctrl-C and Ctrl-Z throw away what was there when
    /// `poll` looked. -1 where that was not to be had.
    private let input: Int32
    private let signals: Pipe
    private let stopping: Pipe
    private let stopped: Pipe
    private let continuation: AsyncStream<TerminalInput>.Continuation

    /// So many inputs wait for the front at most.
    static let longestQueue = 256

    /// Starts to read at once; nil where the system has no thread or no descriptor to give.
    init?(
        terminal: Int32, signals: Pipe, mode: TerminalMode, into continuation: AsyncStream<TerminalInput>.Continuation
    ) {
        guard let stopping = Pipe(), let stopped = Pipe() else { return nil }
        self.terminal = terminal
        input = unsafe open("/dev/fd/\(terminal)", O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        self.signals = signals
        self.stopping = stopping
        self.stopped = stopped
        self.continuation = continuation
        do {
            try DetachedThread.start { [self] in
                switch mode {
                case .keys: readKeys()
                case .lines: readLines()
                }
                continuation.finish()
                stopped.write(1)
            }
        } catch {
            return nil
        }
    }

    deinit { if input >= 0 { close(input) } }

    /// Returns when nothing more will be read: what is typed from then on is the next program's.
    func stop() {
        stopping.write(1)
        stopped.wait()
    }

    private func readKeys() {
        var buffer = SecretBytes(capacity: 4096)
        var decoder = KeyDecoder()
        while true {
            switch wait(decoder.patience) {
            case .stop: return
            case .nothing: decoder.finish { hand(on: .action($0)) }
            case .bytes:
                switch read(into: &buffer) {
                case .nothing: continue
                case .end: return hand(on: .hungUp)
                case .bytes: break
                }
                buffer.withBytes { bytes in decoder.decode(bytes) { hand(on: .action($0)) } }
                buffer.removeAll()
            case .gone:
                hand(on: .hungUp)
                return
            }
        }
    }

    private func readLines() {
        var buffer = SecretBytes(capacity: LineDecoder.longestLine)
        var decoder = LineDecoder()
        while true {
            switch wait(nil) {
            case .stop: return
            case .nothing: continue
            case .gone:
                hand(on: .hungUp)
                return
            case .bytes: break
            }
            switch read(into: &buffer) {
            case .nothing: continue
            case .end:
                // Ctrl-D gives no bytes either, but more may come after it.
                hand(on: hasHungUp ? .hungUp : .endOfInput)
                if hasHungUp { return }
                continue
            case .bytes: break
            }
            buffer.withBytes { bytes in decoder.decode(bytes) { hand(on: $0) } }
            buffer.removeAll()
        }
    }

    private func hand(on line: Secret?) {
        guard let line else {
            // Behind a line that the system has cut may lie its tail, which would be taken for the next answer, or by the
            // next program for a command.
            _ = tcflush(terminal, TCIFLUSH)
            return hand(on: .overlongLine)
        }
        hand(on: .line(line))
    }

    private enum Event { case stop, nothing, bytes, gone }

    /// Waits for bytes; hands on the signals that come meanwhile.
    private func wait(_ patience: Duration?) -> Event {
        while true {
            var ready = [
                pollfd(fd: stopping.readEnd, events: Int16(POLLIN), revents: 0),
                pollfd(fd: signals.readEnd, events: Int16(POLLIN), revents: 0),
                pollfd(fd: terminal, events: Int16(POLLIN), revents: 0),
            ]
            let count = unsafe poll(&ready, 3, patience.map(\.milliseconds) ?? -1)
            if count < 0 && errno != EINTR { return .gone }
            if count == 0 { return .nothing }
            guard count > 0 else { continue }
            if ready[0].revents != 0 { return .stop }
            if ready[1].revents != 0 { for number in signals.read() { hand(on: Int32(number)) } }
            if ready[2].revents & Int16(POLLIN) != 0 { return .bytes }
            if ready[2].revents != 0 { return .gone }
        }
    }

    private var hasHungUp: Bool {
        var ready = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&ready, 1, 0) < 0 || ready.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
    }

    private func hand(on signal: Int32) { hand(on: signal == SIGWINCH ? .resized : .signal(signal)) }

    /// Waits while the front has more to do than ``longestQueue``: what is pasted in megabytes must not lie in locked memory
    /// all at once.
    private func hand(on input: TerminalInput) {
        while case .dropped = continuation.yield(input) {
            var stop = pollfd(fd: stopping.readEnd, events: Int16(POLLIN), revents: 0)
            if unsafe poll(&stop, 1, 2) > 0 { return }
        }
    }

    private enum Reading {
        case bytes
        /// What there was has been thrown away meanwhile.
        case nothing
        /// Hung up, or no more lines.
        case end
    }

    private func read(into buffer: inout SecretBytes) -> Reading {
        var isEmpty = false
        unsafe buffer.fill { storage in
            while true {
                let count = unsafe Glibc.read(
                    input >= 0 ? input : terminal, storage.baseAddress, storage.count)
                if count < 0 && errno == EINTR { continue }
                isEmpty = count < 0 && errno == EAGAIN
                return count
            }
        }
        guard !isEmpty else { return .nothing }
        return buffer.isEmpty ? .end : .bytes
    }
}

extension Duration {
    fileprivate var milliseconds: Int32 {
        Int32(clamping: components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000)
    }
}

/// Splits the bytes of a terminal in cooked mode into lines. Uses one locked buffer of fixed size, because a growing one
/// would leave typed text in freed memory.
struct LineDecoder: ~Copyable {
    /// The longest line that Linux delivers, including its line break (N_TTY). It drops the rest.
    static let longestLine = 4096

    private var line = SecretBytes(capacity: Self.longestLine)
    private var isOverlong = false

    /// Decodes `bytes` and passes each complete line to `body`, in order. Passes nil for a line that is too long, or so long
    /// that the system may have cut it.
    mutating func decode(_ bytes: Span<UInt8>, _ body: (Secret?) -> Void) {
        for index in bytes.indices {
            guard bytes[index] == UInt8(ascii: "\n") else {
                if !line.append(bytes[index]) { isOverlong = true }
                continue
            }
            body(isOverlong || line.count >= Self.longestLine - 1 ? nil : line.withBytes { Secret(copying: $0) })
            isOverlong = false
            line.removeAll()
        }
    }
}
