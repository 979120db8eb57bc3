/// Writes the completion for bash.
///
/// Text from outside, such as the values that a form allows, stands in single quotes. None of it goes to `compgen -W`,
/// which would expand it.
struct BashCompletion {
    let table: CompletionTable

    var lines: [String] {
        ShellText.heading("bash")
            + text(
                """

                # Sets what can follow command $1.
                _latchkey_at() {
                    commands=() values=() kind= ends=
                    flags=(\(spellings(FlagSpec.common)))
                    case $1 in
                """)
            + table.commands.compactMap(arm)
            + text(
                """
                    esac
                }

                # Sets the values of flag $2 of command $1; fails if it takes none.
                _latchkey_value() {
                    values=()
                    case $1:$2 in
                """)
            + table.takers.map(arm)
            + text(
                #"""
                        *) return 1 ;;
                    esac
                }

                _latchkey() {
                    local current=${COMP_WORDS[COMP_CWORD]} command= flag= kind= ends= is_over= has_operand= word index
                    local -a commands flags values
                    # bash splits --flag=value into three words.
                    [[ $current == '=' ]] && current=
                    for ((index = 1; index < COMP_CWORD; index++)); do
                        word=${COMP_WORDS[index]}
                        if [[ $flag ]]; then
                            [[ $word == '=' ]] && continue
                            if [[ $word != -* ]]; then
                                flag=
                                continue
                            fi
                            flag=
                        fi
                        case $word in
                            --) is_over=1 && break ;;
                            -*) _latchkey_value "$command" "$word" && flag=$word ;;
                            *)
                                _latchkey_at "$command"
                                if [[ " ${commands[*]} " == *" $word "* ]]; then
                                    command=${command:+$command }$word
                                elif [[ $ends ]]; then
                                    is_over=1 && break
                                else
                                    has_operand=1
                                fi
                                ;;
                        esac
                    done

                    COMPREPLY=()
                    if [[ $flag ]]; then
                        _latchkey_value "$command" "$flag"
                    else
                        _latchkey_at "$command"
                        # Without --, the program begins where the search ended.
                        [[ $ends && $current != -* ]] && is_over=1
                        [[ $is_over && ${COMP_WORDS[index]} != -- ]] && ((index--))
                        if [[ $is_over ]]; then
                            [[ $kind != program && $has_operand ]] && return
                        elif [[ $current == -* || ! $kind || $kind == program || $has_operand ]]; then
                            kind=list values=("${flags[@]}")
                            [[ $current != -* && $commands ]] && values=("${commands[@]}")
                        fi
                    fi
                    case $kind in
                        list)
                            for word in "${values[@]}"; do
                                [[ $word == "$current"* ]] && printf -v word %q "$word" && COMPREPLY+=("$word")
                            done
                            ;;
                        folder) compopt -o dirnames ;;
                        program)
                            if ((index + 1 == COMP_CWORD)); then
                                mapfile -t COMPREPLY < <(compgen -c -- "$current")
                            else
                                compopt -o default
                            fi
                            ;;
                        file) compopt -o default ;;
                    esac
                }

                complete -F _latchkey latchkey
                """#)
    }

    private func arm(_ command: CompletionTable.Command) -> String? {
        var settings: [String] = []
        if !command.members.isEmpty {
            settings.append("commands=(" + command.members.map(\.word).joined(separator: " ") + ")")
        }
        if !command.flags.isEmpty { settings.append("flags+=(" + spellings(command.flags) + ")") }
        settings += command.operand.map { [ShellText.setting($0)] } ?? []
        guard !settings.isEmpty else { return nil }
        return "        " + ShellText.posix(command.name) + ") " + settings.joined(separator: " ") + " ;;"
    }

    private func arm(_ takers: CompletionTable.Takers) -> String {
        "        " + ShellText.patterns(takers) + ") " + ShellText.setting(takers.kind) + " ;;"
    }

    private func spellings(_ flags: [FlagSpec]) -> String { flags.flatMap(\.spellings).joined(separator: " ") }

    private func text(_ text: String) -> [String] { ShellText.lines(text) }
}
