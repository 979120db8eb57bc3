import Glibc

/// Writes to an open descriptor: a terminal that is not taken over, a file or a pipe.
public struct DescriptorOutput: TerminalOutput {
    private let descriptor: Int32

    /// - Parameter descriptor: must stay open. The caller closes it.
    public init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Whether the descriptor is a terminal and can show frames.
    public var isTerminal: Bool { isatty(descriptor) == 1 }

    public var size: TerminalSize {
        var window = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0 else {
            return TerminalSize(columns: 80, rows: 24)
        }
        return TerminalSize(columns: Int(window.ws_col), rows: max(Int(window.ws_row), 1))
    }

    public func write(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            var written = 0
            while written < buffer.count {
                guard let start = buffer.baseAddress else { return }
                let count = unsafe Glibc.write(descriptor, start + written, buffer.count - written)
                if count >= 0 {
                    written += count
                } else if errno == EAGAIN {
                    var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = unsafe poll(&ready, 1, -1)
                } else if errno != EINTR {
                    // The reader has closed the pipe. For a terminal, the input reports the hang-up.
                    return
                }
            }
        }
    }
}
