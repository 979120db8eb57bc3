import LatchkeyForms

/// The folders that the XDG Base Directory Specification gives a program.
enum UserFolder {
    case configuration
    case data
    case state
    /// On no disk, and gone when the user leaves the machine.
    case runtime

    private var variable: String {
        switch self {
        case .configuration: "XDG_CONFIG_HOME"
        case .data: "XDG_DATA_HOME"
        case .state: "XDG_STATE_HOME"
        case .runtime: "XDG_RUNTIME_DIR"
        }
    }

    /// Nil where there is no other than the variable's.
    private var belowHome: String? {
        switch self {
        case .configuration: ".config"
        case .data: ".local/share"
        case .state: ".local/state"
        case .runtime: nil
        }
    }

    /// Latchkey's part of it.
    ///
    /// - Throws: status 78 where neither the variable nor, where that would do, `HOME` is set.
    func path(in environment: ProcessEnvironment) throws(ToolFailure) -> String {
        // A relative path is invalid and to be ignored, the specification says.
        if let path = environment.text(variable), path.hasPrefix("/") { return path + "/latchkey" }
        guard let belowHome else { throw .noRuntimeFolder }
        guard let home = environment.text("HOME"), home.hasPrefix("/") else {
            throw .noHome(name: variable)
        }
        return home + "/" + belowHome + "/latchkey"
    }
}
