import LatchkeyForms

extension Settings {
    /// The folder that has a folder for each store in PostgreSQL.
    func stateFolder() throws(ToolFailure) -> String {
        if let path = values.text(.stateFolder) { return path }
        return try UserFolder.data.path(in: environment)
    }
}

/// The folders of a user that the XDG Base Directory Specification defines.
enum UserFolder {
    case configuration
    case data
    case state
    /// In memory; the system removes it when the user logs out of the machine.
    case runtime

    private var variable: String {
        switch self {
        case .configuration: "XDG_CONFIG_HOME"
        case .data: "XDG_DATA_HOME"
        case .state: "XDG_STATE_HOME"
        case .runtime: "XDG_RUNTIME_DIR"
        }
    }

    /// The default below the home folder; nil if only the variable names the folder.
    private var belowHome: String? {
        switch self {
        case .configuration: ".config"
        case .data: ".local/share"
        case .state: ".local/state"
        case .runtime: nil
        }
    }

    /// Latchkey's folder in it.
    ///
    /// - Throws: status 78 if the variable is unset and `HOME`, if it would do, is unset too.
    func path(in environment: ProcessEnvironment) throws(ToolFailure) -> String {
        // The specification says to ignore a relative path.
        if let path = environment.text(variable), path.hasPrefix("/") { return path + "/latchkey" }
        guard let belowHome else { throw .noRuntimeFolder }
        guard let home = environment.text("HOME"), home.hasPrefix("/") else {
            throw .noHome(name: variable)
        }
        return home + "/" + belowHome + "/latchkey"
    }
}
