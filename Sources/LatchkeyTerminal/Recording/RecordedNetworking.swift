import LatchkeyFlows
import LatchkeyForms

/// Tells a recorder of every answer, just before the flow has it.
struct RecordedNetworking: Networking {
    private let networking: any Networking
    private let recorder: SessionRecorder

    init(_ networking: any Networking, _ recorder: SessionRecorder) {
        self.networking = networking
        self.recorder = recorder
    }

    func perform(call: AccountType, with credentials: Credentials) async -> NetworkResponse {
        recorder.take(await networking.perform(call: call, with: credentials))
    }
}
