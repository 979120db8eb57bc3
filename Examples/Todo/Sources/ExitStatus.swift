import Glibc
import LatchkeyTerminal
import LatchkeyText

/// The exit status, with the values of `sysexits.h`.
enum ExitStatus: Int32 {
    case done = 0
    case different = 1
    case usage = 64
    case data = 65
    case noInput = 66
    case cannotCreate = 73
    case inputOutput = 74
    case notAllowed = 77

    /// Ends the process after writing `sentence` to standard error.
    func end(_ sentence: String? = nil) -> Never {
        if let sentence {
            // File names and file contents may hold control characters.
            let lines = sentence.split(separator: "\n").map { TerminalEscaper.visible(String($0)) }
            let text = "todo: \(lines.joined(separator: "\n"))\n"
            DescriptorOutput(STDERR_FILENO).write(text.utf8Span.span)
        }
        exit(rawValue)
    }
}
