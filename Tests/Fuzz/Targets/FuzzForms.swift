import LatchkeyForms

/// The built-in forms, parsed once.
enum FuzzForms {
    static let builtIn = try? FormCatalogue()
    /// The longest form, as the terminal shows it.
    static let setup = builtIn?.form(for: .setup).askingTwice(.english)
}
