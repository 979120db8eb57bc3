#compdef latchkey
@{heading}
# Save it as the file _latchkey in a folder of $fpath.

# Sets what can follow command $1.
_latchkey_at() {
    commands=() aliases=() values=() kind= ends=
    flags=(
@{flags}
    )
    case $1 in
@{commands}
    esac
}

# Sets the values of flag $2 of command $1; fails if it takes none.
_latchkey_value() {
    values=()
    case $1:$2 in
@{values}
        (*) return 1 ;;
    esac
}

_latchkey() {
    local command= flag= kind= ends= is_over= has_operand= word=
    local -a commands aliases flags values
    integer index
    for (( index = 2; index < CURRENT; index++ )); do
        word=${(Q)words[index]}
        if [[ -n $flag && $word != -* ]]; then
            flag=
            continue
        fi
        flag=
        case $word in
            (--) is_over=1; break ;;
            (-*) _latchkey_value "$command" "$word" && flag=$word ;;
            (*)
                _latchkey_at "$command"
                if [[ -n ${(M)commands:#${(b)word}:*} ]]; then
                    command=${command:+$command }$word
                elif [[ -n ${(M)aliases:#${(b)word}:*} ]]; then
                    command=${${(M)aliases:#${(b)word}:*}#*:}
                elif [[ -n $ends ]]; then
                    is_over=1; break
                else
                    has_operand=1
                fi
                ;;
        esac
    done

    if [[ -z $flag$is_over && $PREFIX == --*=* ]]; then
        flag=${PREFIX%%=*}
        compset -P 1 '*='
    fi
    if [[ -n $flag ]]; then
        _latchkey_value "$command" "$flag" || return 1
    else
        _latchkey_at "$command"
        # Without --, the program begins where the search ended.
        [[ -n $ends && $PREFIX != -* ]] && is_over=1
        [[ -n $is_over && $words[index] != -- ]] && (( index-- ))
        if [[ -n $is_over ]]; then
            [[ $kind != program && -n $has_operand ]] && return 1
        elif [[ $PREFIX == -* || -z $kind || $kind == program || -n $has_operand ]]; then
            if [[ $PREFIX != -* && -n $commands ]]; then
                # Aliases are only offered if no command begins like the word.
                _describe command commands || _describe alias aliases
            else
                _describe -o flag flags
            fi
            return
        fi
    fi
    case $kind in
        (list) compadd -a values ;;
        (folder) _files -/ ;;
        (file) _files ;;
        (program)
            shift $index words
            (( CURRENT -= index ))
            _normal
            ;;
        (*) _message value ;;
    esac
}

if [[ $funcstack[1] == _latchkey ]]; then
    _latchkey "$@"
else
    compdef _latchkey latchkey
fi
