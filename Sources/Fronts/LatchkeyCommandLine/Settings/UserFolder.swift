import LatchkeyForms

extension Settings {
    /// The folder that contains a folder for each store in PostgreSQL.
    func stateFolder() throws(ToolFailure) -> String {
        if let path = values.text(.stateFolder) { return path }
        return try UserFolder.data.path(in: environment)
    }
}

/// The user's folders according to the XDG Base Directory Specification.
enum UserFolder {
    case configuration
    case data
    case state
    /// A folder in memory. The system removes it when the user logs out of the machine.
    case runtime

    private var variable: String {
        switch self {
        case .configuration: "XDG_CONFIG_HOME"
        case .data: "XDG_DATA_HOME"
        case .state: "XDG_STATE_HOME"
        case .runtime: "XDG_RUNTIME_DIR"
        }
    }

    /// The default path, relative to the home folder; nil if only the variable specifies the folder.
    private var belowHome: String? {
        switch self {
        case .configuration: ".config"
        case .data: ".local/share"
        case .state: ".local/state"
        case .runtime: nil
        }
    }

    /// The path of Latchkey's folder in this folder.
    ///
    /// - Throws: status 78 if the variable is unset and there is no default because `HOME` is unset.
    func path(in environment: ProcessEnvironment) throws(ToolFailure) -> String {
        // The specification requires that a relative path is ignored.
        if let path = environment.text(variable), path.hasPrefix("/") { return path + "/latchkey" }
        guard let belowHome else { throw .noRuntimeFolder }
        guard let home = environment.text("HOME"), home.hasPrefix("/") else {
            throw .noHome(name: variable)
        }
        return home + "/" + belowHome + "/latchkey"
    }
}
