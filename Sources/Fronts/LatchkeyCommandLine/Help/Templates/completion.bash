@{heading}

# Sets what can follow command $1.
_latchkey_at() {
    commands=() aliases=() values=() kind= ends=
    flags=(@{flags})
    case $1 in
@{commands}
    esac
}

# Sets the values of flag $2 of command $1; fails if it takes none.
_latchkey_value() {
    values=()
    case $1:$2 in
@{values}
        *) return 1 ;;
    esac
}

_latchkey() {
    local current=${COMP_WORDS[COMP_CWORD]} command= flag= kind= ends= is_over= has_operand= word pair index
    local -a commands aliases flags values
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
                    continue
                fi
                for pair in "${aliases[@]}"; do
                    [[ ${pair%%=*} == "$word" ]] && command=${pair#*=} && continue 2
                done
                if [[ $ends ]]; then
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
            if [[ $current != -* && $commands ]]; then
                values=("${commands[@]}")
                # Aliases are only offered if no command begins like the word.
                [[ " ${commands[*]}" == *" $current"* ]] || values=("${aliases[@]%%=*}")
            fi
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
