@{heading}

# Sets what can follow command $argv[1].
function __latchkey_at --no-scope-shadowing
    set commands
    set aliases
    set values
    set kind
    set ends
    set flags
@{flags}
    switch $argv[1]
@{commands}
    end
end

# Sets the values of flag $argv[2] of command $argv[1]; fails if it takes none.
function __latchkey_value --no-scope-shadowing
    set values
    switch "$argv[1]:$argv[2]"
@{values}
        case '*'
            return 1
    end
end

function __latchkey
    set -l tokens (commandline -opc)
    set -l current (commandline -ct)
    set -l command ''
    set -l flag
    set -l kind
    set -l ends
    set -l is_over
    set -l has_operand
    set -l commands
    set -l aliases
    set -l flags
    set -l values
    # The part before the value in the same word: --flag=
    set -l start ''
    set -l index 1
    for word in $tokens[2..-1]
        set index (math $index + 1)
        if set -q flag[1]; and not string match -q -- '-*' $word
            set flag
            continue
        end
        set flag
        switch $word
            case --
                set is_over yes
                break
            case '-*'
                __latchkey_value "$command" $word; and set flag $word
            case '*'
                __latchkey_at "$command"
                if string match -q -- $word\t'*' $commands
                    set command (string trim -- "$command $word")
                else if string match -q -- $word\t'*' $aliases
                    set command (string replace -r '.*\t' '' -- (string match -- $word\t'*' $aliases))
                else if set -q ends[1]
                    # Without --, the program begins here.
                    set is_over yes
                    set index (math $index - 1)
                    break
                else
                    set has_operand yes
                end
        end
    end

    if not set -q flag[1]; and not set -q is_over[1]; and string match -q -- '--*=*' $current
        set flag (string replace -r '=.*' '' -- $current)
        set start $flag=
        set current (string replace -r '^[^=]*=' '' -- $current)
    end
    if set -q flag[1]
        __latchkey_value "$command" $flag; or return
    else
        __latchkey_at "$command"
        if set -q ends[1]; and not string match -q -- '-*' $current
            set is_over yes
        end
        if set -q is_over[1]
            test "$kind" != program; and set -q has_operand[1]; and return
        else if string match -q -- '-*' $current; or not set -q kind[1]; or test $kind = program
            or set -q has_operand[1]
            if not string match -q -- '-*' $current; and set -q commands[1]
                # Aliases are only offered if no command begins like the word.
                if string match -q -- $current'*' $commands
                    printf '%s\n' $commands
                else
                    printf '%s\n' $aliases
                end
            else
                printf '%s\n' $flags
            end
            return
        end
    end
    switch "$kind"
        case list
            printf '%s\n' $start$values
        case folder
            printf '%s\n' $start(__fish_complete_directories $current)
        case file
            printf '%s\n' $start(__fish_complete_path $current)
        case program
            set -l rest (string escape -- $tokens[(math $index + 1)..-1])
            complete -C (string join ' ' -- $rest $current)
    end
end

complete -c latchkey -f -a '(__latchkey)'
