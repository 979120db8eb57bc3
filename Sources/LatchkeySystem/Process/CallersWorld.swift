import CLinux
import Glibc

/// What the caller had set before ``ProcessGuard/enter()`` set it for us.
public struct CallersWorld: Sendable {
    let fileModeMask: UInt32
    let coreLimit: UInt
    private(set) var descriptors: [Int32]
    let ignoredFileSizeSignal: Bool
    let signalMask: sigset_t

    /// Whether the caller has opened `descriptor`, above 2, for whatever comes after it.
    public func has(_ descriptor: Int32) -> Bool { descriptors.contains(descriptor) }

    /// Closes what the caller has opened: another program does not get it.
    public mutating func close(_ descriptor: Int32) {
        guard let place = descriptors.firstIndex(of: descriptor) else { return }
        // Of the list too, for the number may be a file's of ours by then.
        descriptors.remove(at: place)
        _ = Glibc.close(descriptor)
    }

    /// Gives back umask, core limit, descriptors and signals: right before this process becomes another program. That it
    /// was undumpable ends with it (prctl(2)).
    public func restore() {
        for number in descriptors { _ = latchkey_set_close_on_exec(number, 0) }
        _ = umask(fileModeMask)
        _ = latchkey_exchange_core_limit(coreLimit, nil)
        if !ignoredFileSizeSignal { _ = signal(SIGXFSZ, SIG_DFL) }
        var mask = signalMask
        _ = unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
    }

    /// Makes this process another program, in this world and with the caller's environment.
    ///
    /// - Parameters:
    ///   - command: the program's path, or its name, which is looked for in the caller's `PATH`, and its arguments; none
    ///     with a NUL.
    ///   - variables: of the environment, in the place of any that the caller has set.
    /// - Returns: why it could not be done. The caller's world is in force then.
    public func become(_ command: [[UInt8]], adding variables: [(name: String, value: String)]) -> SystemError {
        guard let program = command.first else { return SystemError(code: ENOENT) }
        LastWords.say()
        restore()
        var environment = Self.environment.filter { entry in
            !variables.contains { entry.starts(with: ($0.name + "=").utf8) }
        }
        environment += variables.map { Array(($0.name + "=" + $0.value).utf8) }
        unsafe withCStrings([program]) { path in
            unsafe withCStrings(command) { arguments in
                unsafe withCStrings(environment) { environment in
                    _ = unsafe latchkey_execute(path[0], arguments, environment)
                }
            }
        }
        return SystemError(code: errno)
    }

    private static var environment: [[UInt8]] {
        var entries: [[UInt8]] = []
        guard var next = unsafe latchkey_environment() else { return [] }
        while let entry = unsafe next.pointee {
            unsafe entries.append(Array(UnsafeRawBufferPointer(start: entry, count: strlen(entry))))
            unsafe next += 1
        }
        return entries
    }
}
