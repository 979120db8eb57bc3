import LatchkeyForms

/// The built-in forms, read once.
enum FuzzForms {
    static let builtIn = try? FormCatalogue()
    /// The longest of them, as a terminal asks it.
    static let setup = builtIn?.form(for: .setup).askingTwice(.english)
}
