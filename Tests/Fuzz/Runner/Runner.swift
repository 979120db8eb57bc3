import Glibc

/// The function that libFuzzer calls with each input. libFuzzer's `main` reads the flags (scripts/fuzz); an environment
/// variable names the target.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    let target = chosen
    guard bytes.count <= target.maximumBytes else { return 0 }
    let finding = Finding()
    Task.detached {
        finding.text = await target.judge(bytes)
        unsafe sem_post(finding.done)
    }
    while unsafe sem_wait(finding.done) != 0 {}
    guard let text = finding.text else { return 0 }
    tell("broken: \(text)", on: STDERR_FILENO)
    abort()
}

// Unbuffered, because libFuzzer ends the process without flushing the output.
private func tell(_ text: String, on descriptor: Int32) {
    let line = Array("\(text)\n".utf8)
    _ = unsafe write(descriptor, line, line.count)
}

private let chosen: FuzzTarget = {
    let name = unsafe getenv("LATCHKEY_FUZZ").map { unsafe String(cString: $0) }
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
        // Lists all targets for scripts/fuzz.
        for target in FuzzTarget.all { tell("\(target.name) \(target.maximumBytes)", on: STDOUT_FILENO) }
        exit(0)
    }
    return target
}()

/// Proof: written before the semaphore is raised, and read only after that.
@safe private final class Finding: @unchecked Sendable {
    var text: String?
    let done = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { unsafe sem_init(done, 0, 0) }
    deinit {
        unsafe sem_destroy(done)
        unsafe done.deallocate()
    }
}
