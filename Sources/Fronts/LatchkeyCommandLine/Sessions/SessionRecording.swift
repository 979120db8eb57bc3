import LatchkeyFlows
import LatchkeyForms
import LatchkeySystem
import LatchkeyTerminal

/// The recording of `--record`: a file that grows by one line for each thing that happens.
struct SessionRecording: Sendable {
    let recorder: SessionRecorder
    private let path: String
    private let isCut: Locked<Bool>

    /// Nil without `--record`.
    ///
    /// - Parameter forms: the forms that the session shows.
    /// - Throws: status 64 for `-`, because results go to standard output; 73 if the file exists or cannot be created, 77 if
    ///   other users could change it.
    init?(_ context: CommandContext, of forms: FormCatalogue) throws(ToolFailure) {
        guard let flag = context.invocation.value("record") else { return nil }
        guard let path = flag.path, path != "-", path.utf8.last != UInt8(ascii: "/") else {
            throw .badPath(name: "--record")
        }
        let file: GrowingFile
        do throws(FileError) {
            let place = FilePlace(path)
            file = try GrowingFile(new: place.name, in: GuardedFolder(at: place.folder, mayBeShared: true))
        } catch {
            throw .making(path, error)
        }
        let isCut = Locked(false)
        let setting = RecordingConfiguration(
            version: CommandLineTool.version, language: context.settings.language,
            sentences: context.settings.values.sentences,
            forms: context.forms, shown: forms)
        recorder = SessionRecorder(setting) { line in
            // After a failed write, stop: a missing line would make the rest useless.
            guard !isCut.withLock({ $0 }) else { return }
            do throws(FileError) {
                try file.appendAll((line + [UInt8(ascii: "\n")]).span)
            } catch {
                isCut.withLock { $0 = true }
            }
        }
        self.path = path
        self.isCut = isCut
    }

    /// The same dependency, with every response recorded.
    func keeping(_ dependency: AppDependency) -> AppDependency { recorder.recording(dependency) }

    /// Refuses `--record` if the terminal shows no forms.
    static func refuse(_ context: CommandContext) throws(ToolFailure) {
        if context.invocation.has("record") { throw .recordWithoutTerminal }
    }

    /// Warns if the recording could not be written completely. The session itself is not affected.
    func report(to context: CommandContext) {
        guard isCut.withLock({ $0 }) else { return }
        context.output.problem(context.messages.sentence("tool.recording_cut", ["path": .text(path)]))
    }
}
