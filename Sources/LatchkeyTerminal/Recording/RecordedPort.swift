/// A terminal whose session is recorded: as large as the recording says, until that has heard of another size.
struct RecordedPort: TerminalPort {
    let port: any TerminalPort
    let recorder: SessionRecorder
    /// Of the driver that writes to it.
    let mode: TerminalMode

    var size: TerminalSize { recorder.size }

    func write(_ bytes: Span<UInt8>) {
        // What is drawn is recorded as frames, for the bytes of one may hold a secret that is shown.
        if mode == .lines { recorder.say(String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)) }
        port.write(bytes)
    }

    func setEcho(_ isOn: Bool) {
        recorder.echo(isOn)
        port.setEcho(isOn)
    }

    func begin(_ mode: TerminalMode) -> Bool { port.begin(mode) }
    func inputs() -> AsyncStream<TerminalInput> { port.inputs() }
    func suspend() { port.suspend() }
    func resume() { port.resume() }
    func end() { port.end() }
}
