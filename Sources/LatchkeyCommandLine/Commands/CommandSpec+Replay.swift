import LatchkeyForms

extension CommandSpec {
    static let replay = CommandSpec(
        words: ["replay"], summary: "run a recorded session again",
        about:
            "Runs a session again that --record has kept in FILE, with its answers and its clock, and says whether the"
            + " same is seen and happens: status 0, or 1 with the first line that differs. No store is touched.",
        operand: Operand(name: "FILE", isRequired: true),
        flags: [
            FlagSpec("speed", value: "N", "draw it in the terminal, N times as fast as it was; 0 for no waiting"),
            FlagSpec("step", "draw it in the terminal, a step at each key; Esc ends it"),
        ],
        statuses: [.done, .no, .usage, .data, .noInput, .inputOutput, .notAllowed, .configuration],
        examples: ["latchkey replay session.jsonl", "latchkey replay session.jsonl --speed 2"]
    ) { (context) async throws(ToolFailure) in
        try await ReplayRun(context: context).perform()
    }
}
