import LatchkeyForms

extension Language {
    /// In what language it is told why the settings could not be understood: that of `--lang` or `LATCHKEY_LANG` where
    /// either names one, else that of the environment.
    init(before settings: some Collection<Argument>, in environment: ProcessEnvironment) {
        let given = settings.firstIndex { $0.longFlag?.name == "lang" }.flatMap { index in
            settings[index].longFlag?.value ?? settings[settings.index(after: index)...].first
        }
        self =
            given?.text.flatMap(Language.init(rawValue:))
            ?? environment.text("LATCHKEY_LANG").flatMap(Language.init(rawValue:))
            ?? Language(environment: environment.text)
    }
}
