/// What the arguments ask the program to do.
enum TodoArguments: Equatable, Sendable {
    /// - Parameter log: the file for the log.
    case show(log: String?)
    case replay(String)
    case help

    static let usage = """
        Usage: todo [--log FILE]
               todo --replay FILE

          --log FILE     write every event to FILE, a line of JSON each
          --replay FILE  ask again what was asked in a log, and say whether the same comes out
        """

    /// - Returns: nil if the arguments are not valid.
    init?(_ words: [String]) {
        switch (words.first, words.count) {
        case (nil, _): self = .show(log: nil)
        case ("--help", 1), ("-h", 1): self = .help
        case ("--log", 2): self = .show(log: words[1])
        case ("--replay", 2): self = .replay(words[1])
        default: return nil
        }
    }
}
