import LatchkeyForms

/// What a person writes of a todo.
struct TodoDraft: Equatable, Sendable {
    var title: String
    var note = ""
    var due: CalendarDate?
    var priority = Priority.normal

    /// The first matters most.
    enum Priority: String, CaseIterable, Sendable {
        case high, normal, low
    }

    init(title: String, note: String = "", due: CalendarDate? = nil, priority: Priority = .normal) {
        self.title = title
        self.note = note
        self.due = due
        self.priority = priority
    }

    /// Of texts as the form has them; nil where the due day or the priority is none.
    init?(texts: [FieldKey: String]) {
        let (due, priority) = (texts[TodoForm.due] ?? "", texts[TodoForm.priority] ?? "")
        guard due.isEmpty || CalendarDate(due) != nil,
            let priority = priority.isEmpty ? .normal : Priority(rawValue: priority)
        else { return nil }
        self.init(
            title: texts[TodoForm.title] ?? "", note: texts[TodoForm.note] ?? "", due: CalendarDate(due),
            priority: priority)
    }

    /// As the form has it; a text is empty where there is nothing.
    var texts: [FieldKey: String] {
        [
            TodoForm.title: title, TodoForm.note: note, TodoForm.due: due?.text ?? "",
            TodoForm.priority: priority.rawValue,
        ]
    }
}
