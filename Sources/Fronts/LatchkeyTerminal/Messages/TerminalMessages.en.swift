import LatchkeyFlows
package import LatchkeyForms

extension ModuleSentences {
    /// The sentences around a form in the terminal: key hints, hints for lines, progress and waiting.
    package static let terminal = ModuleSentences("terminal", english: englishTerminal)

    private static let englishTerminal: [String: String] = [
        "front.busy": "One moment…",
        "front.code_title": "Confirm your new address",
        "front.code_submit": "Confirm",
        "front.cancelled": "Cancelled",
        "front.interrupted": "Interrupted",
        "front.review": "Check your answers. ↑ to edit",
        "front.date": "Year-month-day, such as 1990-02-28. ↑ and ↓ change the part at the cursor",
        "front.digits": "Digits only",
        "front.submits": "Too many attempts. Your answers go out in {seconds} s",
        "front.list_keys": "↑ ↓ j k: move, Home, End, a number or a first letter: go there",
        "front.long": "Still working… Ctrl-C cancels",
        "front.missing": "{count} more characters",
        "front.missing_one": "1 more character",
        "progress.known": "{label}: {done} of {total}, {rate}/s, {left} left",
        "progress.open": "{label}: {done}, {rate}/s",
        "progress.begun": "{label}: {done} of {total}",
        "progress.begun_open": "{label}: {done}",
        "progress.stopping": "Stopping…",
        "keys.next": "Enter: next",
        "keys.submit": "Enter: {submit}",
        "keys.follow": "Enter: open",
        "keys.choose": "Enter: choose",
        "keys.arrows": "← →: choose",
        "keys.options": "Space: choose, type to search",
        "keys.line": "Alt-Enter: new line",
        "keys.editor": "Ctrl-E: editor",
        "keys.complete": "Tab: take {suggestion}",
        "keys.previous": "Up: back",
        "keys.reveal": "Ctrl-R: show",
        "keys.hide": "Ctrl-R: hide",
        "keys.all": "?: keys",
        "keys.back": "Esc: back",
        "keys.cancel": "Esc: cancel",
        "line.ways": "< goes back, ? shows help",
        "line.way": ":{name} opens \"{title}\"",
        "line.empty": ":empty clears the answer",
        "line.escapes": "To start an answer with <, ? or :, type \\ before it",
        "line.keeps": "Press Enter to keep the value in brackets",
        "line.secret_is_text": "Everything you type here is part of the answer. Press Enter for other choices",
        "line.secret_again": "Nothing entered. Enter leaves it empty, < goes back, ? shows help",
        "line.secret_keeps": "Nothing entered. Enter keeps your earlier answer, < goes back, ? shows help",
        "line.unknown": "Not a valid answer here. ? shows help",
        "line.submit": "Enter: {submit}, < goes back",
        "line.lines": "end with a line that contains only a dot",
        "line.option": "number or name",
        "line.options": "numbers or names, with commas",
        "line.date": "year-month-day",
        "line.many": "{count} options. Type a part of one to search",
        "line.number": "Type a number from 1 to {maximum} or a name, or press Enter to cancel",
        "line.not_listed": "That is not one of them",
        "line.overlong": "That line was too long and was ignored",
    ]
}

extension MessageTable {
    /// A copy of the table with all sentences that the terminal shows.
    var completedForTerminal: MessageTable { completed(by: .terminal, .flows) }
}
