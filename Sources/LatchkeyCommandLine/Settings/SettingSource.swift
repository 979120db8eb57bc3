/// One of the places that settings come from, with what it says.
struct SettingSource: Sendable {
    enum Place: Sendable {
        case flags
        case environment
        case file(String)
    }

    let place: Place
    let values: SettingValues
}

/// Why a place could not be understood.
struct SettingProblem: Sendable {
    /// A variable's name, or a file's path.
    let place: String
    let failure: ToolFailure
}
