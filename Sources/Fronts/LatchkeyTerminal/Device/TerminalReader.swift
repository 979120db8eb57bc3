import Glibc
import LatchkeySecrets
import LatchkeySystem

/// Reads a terminal on a separate thread, because reading blocks. The bytes are wiped as soon as they are decoded.
final class TerminalReader: Sendable {
    private let terminal: Int32
    /// A second, non-blocking descriptor for the terminal; -1 if it could not be opened. Ctrl-C and Ctrl-Z can discard
    /// bytes that `poll` has reported, and a blocking read would then hang.
    private let input: Int32
    private let signals: Pipe
    private let orders: Pipe
    private let answers: Pipe
    private let continuation: AsyncStream<TerminalInput>.Continuation

    /// The maximum number of inputs in the queue.
    static let longestQueue = 256

    private enum Order: UInt8 {
        case stop
        /// Leave the terminal to another program.
        case pause
        case resume
    }

    /// Starts reading. Nil if the system has no free thread or descriptor.
    init?(
        terminal: Int32, signals: Pipe, mode: TerminalMode, into continuation: AsyncStream<TerminalInput>.Continuation
    ) {
        guard let orders = Pipe(), let answers = Pipe() else { return nil }
        self.terminal = terminal
        input = unsafe open("/dev/fd/\(terminal)", O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        self.signals = signals
        self.orders = orders
        self.answers = answers
        self.continuation = continuation
        do {
            try DetachedThread.start { [self] in
                switch mode {
                case .keys: readKeys()
                case .lines: readLines()
                }
                continuation.finish()
                answers.write(Order.stop.rawValue)
            }
        } catch {
            return nil
        }
    }

    deinit { if input >= 0 { close(input) } }

    /// Stops reading, and returns when the thread has stopped. Later input goes to the next program.
    func stop() {
        orders.write(Order.stop.rawValue)
        while !answers.read().contains(Order.stop.rawValue) { answers.wait() }
    }

    /// Stops reading until ``resume()``, and returns when the thread has stopped using the terminal.
    func pause() {
        orders.write(Order.pause.rawValue)
        let over = Order.stop.rawValue
        while true {
            answers.wait()
            let received = answers.read()
            // The thread has ended because the terminal is gone. The reply is written back, so that `stop()` finds it
            // too.
            if received.contains(over) { return answers.write(over) }
            if received.contains(Order.pause.rawValue) { return }
        }
    }

    /// Resumes reading, after `input`.
    func resume(after input: TerminalInput) {
        // The queue has room, because no keys arrived in the meantime.
        continuation.yield(input)
        orders.write(Order.resume.rawValue)
    }

    /// Adds a tick. Returns false if the queue is full.
    func tick() -> Bool {
        if case .enqueued = continuation.yield(.action(.key(.tick))) { true } else { false }
    }

    private func readKeys() {
        var buffer = SecretBytes(capacity: 4096)
        var decoder = KeyDecoder()
        while true {
            switch wait(decoder.patience) {
            case .stop:
                // A lone Esc waits for the rest of a key. It goes to the next screen.
                decoder.finish { _ = continuation.yield(.action($0)) }
                return
            case .nothing: decoder.finish { send(.action($0)) }
            case .bytes:
                switch read(into: &buffer) {
                case .nothing: continue
                case .end: return send(.hungUp)
                case .bytes: break
                }
                buffer.withBytes { bytes in decoder.decode(bytes) { send(.action($0)) } }
                buffer.removeAll()
            case .gone:
                send(.hungUp)
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
                send(.hungUp)
                return
            case .bytes: break
            }
            switch read(into: &buffer) {
            case .nothing: continue
            case .end:
                // An empty read is Ctrl-D or a hang-up. More input can follow Ctrl-D.
                send(hasHungUp ? .hungUp : .endOfInput)
                if hasHungUp { return }
                continue
            case .bytes: break
            }
            buffer.withBytes { bytes in decoder.decode(bytes) { send(line: $0) } }
            buffer.removeAll()
        }
    }

    private func send(line: Secret?) {
        guard let line else {
            // Discards the rest of a line that the system has truncated. Otherwise, it would become the next answer or
            // a shell command.
            _ = tcflush(terminal, TCIFLUSH)
            return send(.overlongLine)
        }
        send(.line(line))
    }

    private enum Event { case stop, nothing, bytes, gone }

    /// Waits for bytes. Forwards signals that arrive in the meantime.
    private func wait(_ patience: Duration?) -> Event {
        var isPaused = false
        while true {
            var ready = [
                pollfd(fd: orders.readEnd, events: Int16(POLLIN), revents: 0),
                pollfd(fd: signals.readEnd, events: Int16(POLLIN), revents: 0),
                // `poll` ignores a negative descriptor.
                pollfd(fd: isPaused ? -1 : terminal, events: Int16(POLLIN), revents: 0),
            ]
            let count = unsafe poll(&ready, 3, isPaused ? -1 : patience.map(\.milliseconds) ?? -1)
            if count < 0 && errno != EINTR { return .gone }
            if count == 0 { return .nothing }
            guard count > 0 else { continue }
            if ready[0].revents != 0 {
                for order in orders.read().compactMap(Order.init) {
                    switch order {
                    case .stop: return .stop
                    case .pause:
                        isPaused = true
                        answers.write(order.rawValue)
                    case .resume: isPaused = false
                    }
                }
                continue
            }
            if ready[1].revents != 0 { for number in signals.read() { send(signal: Int32(number)) } }
            if ready[2].revents & Int16(POLLIN) != 0 { return .bytes }
            if ready[2].revents != 0 { return .gone }
        }
    }

    private var hasHungUp: Bool {
        var ready = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&ready, 1, 0) < 0 || ready.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
    }

    private func send(signal: Int32) { send(signal == SIGWINCH ? .resized : .signal(signal)) }

    /// Adds `input` to the queue. If the queue is full, waits, so that a paste of megabytes does not fill locked
    /// memory.
    private func send(_ input: TerminalInput) {
        while case .dropped = continuation.yield(input) {
            var stop = pollfd(fd: orders.readEnd, events: Int16(POLLIN), revents: 0)
            if unsafe poll(&stop, 1, 2) > 0 { return }
        }
    }

    private enum Reading {
        case bytes
        /// The bytes were discarded before they could be read.
        case nothing
        /// The terminal has hung up, or Ctrl-D ended the input.
        case end
    }

    private func read(into buffer: inout SecretBytes) -> Reading {
        var isEmpty = false
        unsafe buffer.fill { storage in
            while true {
                let count = unsafe Glibc.read(
                    input >= 0 ? input : terminal, storage.baseAddress, storage.count)
                if count < 0 && errno == EINTR { continue }
                isEmpty = count < 0 && (errno == EAGAIN || (errno == EIO && waitForForeground()))
                return count
            }
        }
        guard !isEmpty else { return .nothing }
        return buffer.isEmpty ? .end : .bytes
    }

    /// After a failed read in a background job, waits until the session has stopped the process and the shell continues
    /// it. Returns false if the failure had another cause, or after a second, because the system never stops an
    /// orphaned job.
    private func waitForForeground() -> Bool {
        var isInBackground: Bool {
            let group = tcgetpgrp(terminal)
            return group > 0 && group != getpgrp()
        }
        guard isInBackground else { return false }
        for _ in 0..<100 where isInBackground { usleep(10_000) }
        return !isInBackground
    }
}

extension Duration {
    fileprivate var milliseconds: Int32 {
        Int32(clamping: components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000)
    }
}

/// Splits the bytes of a terminal in cooked mode into lines. It uses one locked buffer of fixed size, because a growing
/// buffer would leave typed text in freed memory.
struct LineDecoder: ~Copyable {
    /// The maximum length of a line that Linux delivers, including its line break (N_TTY). Linux drops the rest of a
    /// longer line.
    static let longestLine = 4096

    private var line = SecretBytes(capacity: Self.longestLine)
    private var isOverlong = false

    /// Decodes `bytes` and passes each complete line to `body`, in order. Passes nil for a line that is too long or may
    /// be truncated.
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
