public import LatchkeyFlows
import LatchkeyForms
import LatchkeySystem

extension SessionRecorder {
    /// The dependency for the coordinator of the recorded front: it records every response.
    public func recording(_ dependency: AppDependency) -> AppDependency {
        var dependency = dependency
        dependency.networking = RecordingNetworking(networking: dependency.networking, recorder: self)
        return dependency
    }
}

/// Records each response just before the flow receives it.
private struct RecordingNetworking: Networking {
    let networking: any Networking
    let recorder: SessionRecorder

    func perform(call: AccountType, with credentials: Credentials) async -> NetworkResponse {
        let response = await networking.perform(call: call, with: credentials)
        // What is recorded has no secrets.
        return recorder.record(response).disclosing(response.disclosure)
    }
}

/// A terminal that records input, frames and text. Its size changes only when the recording notices a resize.
struct RecordingPort: TerminalPort {
    let port: any TerminalPort
    let recorder: SessionRecorder
    let events: AccountEvents

    var size: TerminalSize { recorder.size }

    func begin(_ mode: TerminalMode) -> Bool {
        guard port.begin(mode) else { return false }
        recorder.listen(to: events, mode)
        return true
    }

    func inputs() -> AsyncStream<TerminalInput> { port.inputs() }
    func tick() -> Bool { port.tick() }
    func willHandle(_ input: TerminalInput, isVisible: Bool) { recorder.record(input, isVisible: isVisible) }
    func willShow(_ frame: Frame) { recorder.record(frame) }
    func willReplaceFrame(with line: String?) { recorder.recordClosing(line) }

    func write(_ bytes: Span<UInt8>) {
        recorder.recordText(bytes)
        port.write(bytes)
    }

    func write(secret bytes: Span<UInt8>) { port.write(secret: bytes) }

    func setEcho(_ isOn: Bool) {
        recorder.recordEcho(isOn)
        port.setEcho(isOn)
    }

    func suspend() { port.suspend() }
    func edit(_ text: [UInt8], with editor: TextEditor) { port.edit(text, with: editor) }
    func resume() { port.resume() }
    func end() { port.end() }
}
