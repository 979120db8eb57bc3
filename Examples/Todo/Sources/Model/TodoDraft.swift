import LatchkeyForms

/// The part of a todo that the user writes.
struct TodoDraft: Equatable, Sendable {
    var title: String
    var note = ""
    var due: CalendarDate?
    var priority = Priority.normal

    /// The highest priority comes first.
    enum Priority: String, CaseIterable, Sendable {
        case high, normal, low
    }

    init(title: String, note: String = "", due: CalendarDate? = nil, priority: Priority = .normal) {
        self.title = title
        self.note = note
        self.due = due
        self.priority = priority
    }

    /// Reads the texts of the form. Nil if the due day or the priority is not valid.
    init?(texts: FormTexts) {
        let (due, priority) = (texts[TodoForm.due] ?? "", texts[TodoForm.priority] ?? "")
        guard due.isEmpty || CalendarDate(due) != nil,
            let priority = priority.isEmpty ? .normal : Priority(rawValue: priority)
        else { return nil }
        self.init(
            title: texts[TodoForm.title] ?? "", note: texts[TodoForm.note] ?? "", due: CalendarDate(due),
            priority: priority)
    }

    /// The texts for the form; empty for missing values.
    var texts: FormTexts {
        [
            TodoForm.title: title, TodoForm.note: note, TodoForm.due: due?.text ?? "",
            TodoForm.priority: priority.rawValue,
        ]
    }
}
