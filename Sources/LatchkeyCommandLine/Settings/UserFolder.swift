import LatchkeyForms

/// The folders that the XDG Base Directory Specification gives a program.
enum UserFolder {
    case configuration
    case data
    case state

    private var variable: String {
        switch self {
        case .configuration: "XDG_CONFIG_HOME"
        case .data: "XDG_DATA_HOME"
        case .state: "XDG_STATE_HOME"
        }
    }

    private var belowHome: String {
        switch self {
        case .configuration: ".config"
        case .data: ".local/share"
        case .state: ".local/state"
        }
    }

    /// Latchkey's part of it.
    ///
    /// - Throws: status 78 where neither the variable nor `HOME` is set.
    func path(in environment: ProcessEnvironment) throws(ToolFailure) -> String {
        // A relative path is invalid and to be ignored, the specification says.
        if let path = environment.text(variable), path.hasPrefix("/") { return path + "/latchkey" }
        guard let home = environment.text("HOME"), home.hasPrefix("/") else {
            throw ToolFailure(.configuration, "no_home", ["name": .text(variable)])
        }
        return home + "/" + belowHome + "/latchkey"
    }
}
