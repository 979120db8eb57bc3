public import LatchkeyForms

extension FormMachine {
    /// What is to be seen of `state`.
    ///
    /// - Parameters:
    ///   - columns: of the terminal, at least 20 to be readable.
    ///   - now: decides whether a secret is still shown in clear.
    ///   - isParked: whether the program is about to be stopped: what it leaves on the screen tells of no secret how long
    ///     it is.
    ///   - messages: the language of what is not in the state: hints for keys, "optional".
    public func frame(
        of state: FormViewState, columns: Int, at now: Instant, isParked: Bool = false, in messages: MessageTable
    ) -> Frame {
        var layout = FormLayout(
            machine: self, state: state, columns: columns, now: now, isParked: isParked, messages: messages)
        return layout.frame()
    }
}
