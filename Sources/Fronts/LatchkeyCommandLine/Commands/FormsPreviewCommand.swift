import LatchkeyForms
import LatchkeySystem

/// `forms preview`: shows a form while its description is edited.
struct FormsPreviewCommand {
    static let spec = CommandSpec(
        words: ["forms", "preview"], summary: "Show a form while you edit it",
        about:
            "Show the form that FILE describes, and show it again each time the file is saved. An error is shown with its"
            + " line, above the last form without one. Nothing is stored. Esc ends it.",
        operand: CommandSpec.Operand(name: "FILE", isRequired: true),
        statuses: [.done, .usage, .noInput, .system, .inputOutput, .notAllowed, .configuration],
        examples: [
            "latchkey forms preview registration.json", "latchkey forms preview support.json --lang pt",
        ]
    ) { (context) async throws(ToolFailure) in try await FormsPreviewCommand(context: context).run() }

    let context: CommandContext

    private func run() async throws(ToolFailure) -> CommandResult {
        let path = try context.invocation.path()
        let watch: FileWatch
        do throws(FileError) { watch = try FileWatch(path) } catch { throw .reading(path, error) }
        let form: Form
        switch try Self.form(at: path) {
        case .success(let read): form = read
        case .failure(let error): throw .formRefused(error)
        }
        guard let terminal = Terminal(context) else { throw .noTerminal }
        await terminal.preview(form, try changes(of: path, watch))
        return .printed
    }

    private static func form(at path: String) throws(ToolFailure) -> Result<Form, FormDescriptionError> {
        let bytes = try InputFiles.contents(of: path, limit: ObjectReader.maximumBytes, takesPipes: false)
        do throws(FormDescriptionError) {
            return .success(try FormCatalogue.form(of: FormCatalogue.Source(file: path, bytes: bytes)))
        } catch {
            return .failure(error)
        }
    }

    /// The description after each change. The thread that watches the file ends with the process.
    private func changes(
        of path: String, _ watch: FileWatch
    ) throws(ToolFailure) -> AsyncStream<Result<Form, FormDescriptionError>> {
        let (stream, continuation) = AsyncStream.makeStream(of: Result<Form, FormDescriptionError>.self)
        do throws(SystemError) {
            try DetachedThread.start {
                while watch.wait() {
                    // If the file disappears for a moment, it reappears with the next change.
                    if let change = try? Self.form(at: path) { continuation.yield(change) }
                }
                continuation.finish()
            }
        } catch {
            throw .noThreads
        }
        return stream
    }
}
