import CLinux
import Glibc

/// The settings that the process inherited, as they were before ``ProcessGuard/enter()`` changed them.
package struct InheritedEnvironment: Sendable {
    let fileModeMask: UInt32
    let coreLimit: UInt
    private(set) var descriptors: [Int32]
    let ignoredFileSizeSignal: Bool
    let signalMask: sigset_t

    /// Whether the caller passed on `descriptor`, which is greater than 2.
    package func has(_ descriptor: Int32) -> Bool { descriptors.contains(descriptor) }

    /// Closes an inherited descriptor, so that a child program does not inherit it.
    package mutating func close(_ descriptor: Int32) {
        guard let place = descriptors.firstIndex(of: descriptor) else { return }
        // The descriptor is also removed from the list, because its number may soon be reused.
        descriptors.remove(at: place)
        _ = Glibc.close(descriptor)
    }

    /// Restores umask, core limit, descriptors and signals, immediately before this process becomes another program.
    /// The new program is dumpable again (prctl(2)).
    package func restore() {
        for number in descriptors { _ = latchkey_set_close_on_exec(number, 0) }
        _ = umask(fileModeMask)
        _ = latchkey_exchange_core_limit(coreLimit, nil)
        if !ignoredFileSizeSignal { _ = signal(SIGXFSZ, SIG_DFL) }
        var mask = signalMask
        _ = unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
    }

    /// Replaces this process with another program, which gets the inherited settings and environment.
    ///
    /// - Parameters:
    ///   - command: the program and its arguments, all without NUL. The program is a path, or a name to look up in the
    ///     caller's `PATH`.
    ///   - variables: environment variables to set or replace.
    /// - Returns: the error if the program could not be started. The inherited settings stay restored.
    package func become(_ command: [[UInt8]], adding variables: [(name: String, value: String)]) -> SystemError {
        guard let program = command.first else { return SystemError(code: ENOENT) }
        ExitHandlers.run()
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

    /// The environment variables of this process in the form `NAME=VALUE`.
    static var environment: [[UInt8]] {
        var entries: [[UInt8]] = []
        guard var next = unsafe latchkey_environment() else { return [] }
        while let entry = unsafe next.pointee {
            unsafe entries.append(Array(UnsafeRawBufferPointer(start: entry, count: strlen(entry))))
            unsafe next += 1
        }
        return entries
    }
}
