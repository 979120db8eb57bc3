import LatchkeySystem

extension ToolFailure {
    /// Why the program does not begin.
    init(_ refusal: ProcessGuard.Refusal) {
        switch refusal {
        case .setuid: self.init(.notAllowed, "unsafe_start")
        case .noDescriptors: self.init(.system, "no_descriptors")
        }
    }
}
