import LatchkeyFlows
import LatchkeyForms
import LatchkeySystem
import LatchkeyTerminal

/// The recording that `--record` asks for: a file that grows by a line whenever something happens.
struct SessionRecording: Sendable {
    let recorder: SessionRecorder
    private let path: String
    private let isCut: Locked<Bool>

    /// Nil where none is asked for.
    ///
    /// - Parameter forms: as they are asked for.
    /// - Throws: status 64 for `-`, for standard output is the results'; 73 where the file is there already or cannot be
    ///   made, 77 where others could change it.
    init?(_ context: CommandContext, of forms: FormCatalogue) throws(ToolFailure) {
        guard let flag = context.invocation.value("record") else { return nil }
        guard let path = flag.path, path != "-", path.utf8.last != UInt8(ascii: "/") else {
            throw .badPath(name: "--record")
        }
        let file: GrowingFile
        do throws(FileError) {
            let place = FilePlace(path)
            file = try GrowingFile(new: place.name, in: GuardedFolder(at: place.folder))
        } catch {
            throw .making(path, error)
        }
        let isCut = Locked(false)
        let setting = RecordingConfiguration(
            version: CommandLineTool.version, language: context.settings.language,
            sentences: context.settings.values.sentences,
            forms: context.forms, shown: forms)
        recorder = SessionRecorder(setting) { line in
            // One line that is missing would make the rest of no use, and one that is cut short all before it.
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

    /// The same dependency with every answer kept.
    func keeping(_ dependency: AppDependency) -> AppDependency { recorder.recording(dependency) }

    /// Refuses to record where nothing is shown.
    static func refuse(_ context: CommandContext) throws(ToolFailure) {
        if context.invocation.has("record") { throw .recordWithoutTerminal }
    }

    /// Says so where not all of it could be written. What was done is done all the same.
    func report(to context: CommandContext) {
        guard isCut.withLock({ $0 }) else { return }
        context.output.problem(context.messages.sentence("tool.recording_cut", ["path": .text(path)]))
    }
}
