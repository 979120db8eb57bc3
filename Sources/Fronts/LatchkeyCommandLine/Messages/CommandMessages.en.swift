package import LatchkeyForms

extension ModuleSentences {
    /// The sentences of the commands for account owners, and of failures that all commands have in common.
    package static let commandLine = ModuleSentences("commandLine", english: englishCommandLine)

    private static let englishCommandLine: [String: String] = [
        // Lists
        "list.name": "NAME",
        "list.created": "CREATED",
        "list.id": "ID",
        "list.used": "LAST USED",
        "list.source": "FROM",
        "list.this_one": "(this one)",
        "list.accounts_none": "No accounts",
        "list.sessions": "{count} sessions",
        "list.sessions.one": "1 session",
        "list.sessions_none": "No active sessions",

        // Usage
        "tool.unknown_command": "Unknown command \"{command}\". latchkey --help lists all commands",
        "tool.unknown_command_suggestion": "Unknown command \"{command}\". Did you mean: {nearest}",
        "tool.command_missing": "\"{group}\" needs one of: {known}",
        "tool.unknown_flag": "Unknown flag {flag}",
        "tool.operand_like_flag": "Unknown flag {flag}. If it begins {name}, write -- before {name}",
        "tool.unknown_flag_suggestion": "Unknown flag {flag}. Did you mean {nearest}?",
        "tool.flag_twice": "--{flag} was given twice",
        "tool.flag_takes_none": "--{flag} takes no value",
        "tool.flag_needs_value": "--{flag} needs a value. If it begins with a hyphen, write --{flag}=VALUE",
        "tool.no_arguments": "Cannot read the arguments, because /proc is not mounted",
        "tool.flag_needless": "{command} asks for no confirmation. Leave out {flag}",
        "tool.operand_missing": "{name} is missing",
        "tool.operand_first": "{name} is missing. Write it before the flags for its fields",
        "tool.program_behind_dashes": "Write the program and its arguments after --",
        "tool.checkpassword_input":
            "Descriptor 3 must provide a name, a password and a timestamp, each followed by NUL, in at most {maximum} bytes",
        "tool.program_not_found": "{name}: program not found",
        "tool.cannot_execute": "{name}: cannot be executed",
        "tool.operand_too_many": "Too many arguments after \"{command}\"",
        "tool.argument_too_long": "An argument is longer than {maximum} bytes",
        "tool.bad_path": "{name} needs a path",
        "tool.bad_store":
            "{name} must be a path, or a postgresql:// address. Put its password into a password file (~/.pgpass)",
        "tool.service_missing": "The program latchkey-service is not installed next to latchkey",
        "tool.database_unusable": "{path} is in PostgreSQL, which this program cannot use. It needs an SQLite store",
        "tool.bad_number": "{name} needs a whole number",
        "tool.number_out_of_range": "{name} needs a whole number from {minimum} to {maximum}",
        "tool.number_too_small": "{name} needs a whole number, at least {minimum}",
        "tool.bad_language": "{name} needs one of these languages: {known}",
        "tool.flags_missing": "Some fields are missing or not valid:",
        "tool.unknown_flow": "--open needs one of: {known}",
        "tool.unknown_form": "--form needs one of: {known}",
        "tool.no_terminal": "There is no terminal to ask on. latchkey --help lists the commands for scripts",
        "tool.yes_needed": "There is no terminal to ask on. Add --yes to confirm",

        // Secrets
        "tool.secret_argument":
            "--{given} is not accepted, because every user of this machine can read the command line. Use --{flag}-stdin, "
            + "--{flag}-file PATH or --{flag}-fd N",
        "tool.secret_environment":
            "{name} is set, but secrets are not read from the environment. Use --{flag}-stdin, --{flag}-file PATH or "
            + "--{flag}-fd N",
        "tool.hash_argument":
            "--{given} is not accepted, because every user of this machine can read the command line. Use accounts create "
            + "--password-hash-stdin or accounts import",
        "tool.hash_environment":
            "{name} is set, but hashes are not read from the environment. Use accounts create --password-hash-stdin or "
            + "accounts import",
        "tool.bad_duration": "{name} must be a whole number followed by s, m, h, d or w, such as 90d",
        "tool.flag_missing": "{name} is required",
        "menu.device_ask": "Connect {name} to your account?",
        "menu.device_connect": "Yes, connect",
        "menu.device_refuse": "No, cancel",
        "tool.device_code": "Code: {code}. Compare it with the code on your device",
        "tool.device_began": "{name} asked {time}",
        "tool.device_began_at": "{name} asked {time} from {source}",
        "tool.device_learns": "{name} will receive:",
        "tool.device_caution": "Go on only if you started this yourself. Nobody else sends you a code",
        "tool.device_connected": "{name} is connected",
        "tool.device_denied": "{name} is not connected, and learns nothing about you",
        "tool.device_unknown":
            "No device waits with this code. Compare it, or start again on the device: a code works for ten minutes",
        "tool.device_refused": "You cannot use {name} now. The device gets nothing",
        "tool.device_refused_group": "{name} is only for members of certain groups. The device gets nothing",
        "tool.device_refused_level":
            "{name} needs a login with a second factor. The device gets nothing. latchkey factors add sets one up",
        "tool.passkey_in_browser":
            "A passkey is added in a browser. Log in at {page} and choose \"Add a passkey\"",
        "tool.no_factor": "The account has no authenticator app",
        "tool.bad_name": "{name} must be 1 to {maximum} characters, all of them visible",
        "tool.app_password_shown": "Enter it in one program instead of your password. It cannot be shown again",
        "tool.app_password_revoked": "App password {name} revoked",
        "tool.no_such_app_password": "There is no app password with that id",
        "tool.too_many_app_passwords": "The account has {maximum} app passwords already: revoke some first",
        "list.app_passwords": "{count} app passwords",
        "list.app_passwords.one": "1 app password",
        "list.app_passwords_none": "No app passwords",
        "list.never": "never",
        "tool.server_unwanted": "{name} is for the commands of an account's owner; this one works on a store",
        "tool.server_and_store": "{server} and {store} exclude each other: one names a service, the other a store",
        "tool.bad_server": "{name} is not valid: {problem}",
        "tool.server_failed": "No answer from the service: {problem}",
        "tool.flags_exclude": "--{flag} cannot be combined with --{other}",
        "tool.secret_twice": "--{flag}-stdin, --{flag}-file and --{flag}-fd cannot be combined",
        "tool.secret_from_terminal": "{flag} reads from a pipe or a file. Leave it out to be asked instead",
        "tool.secret_missing": "{flag}: nothing to read",
        "tool.input_left_over": "Standard input has unused lines: each flag that reads it takes one line",

        // Data
        "tool.validation_failed": "Some fields are not valid:",

        // Many accounts
        "tool.bad_choice": "{name} needs one of: {known}",

        // Files
        "tool.input_unreadable": "{name} cannot be read",
        "tool.input_exposed": "{name} can be changed by other users. Run chmod go-w on it first",
        "tool.input_open": "{name} can be read by other users",
        "tool.input_missing": "{name} does not exist",
        "tool.input_denied": "You do not have permission to read {name}",
        "tool.output_exposed": "{path} would be in a folder that other users can change",
        "tool.output_full": "The disk has no room for {path}",
        "tool.output_folder":
            "Cannot create {path}: its folder is missing or not writable, or it is not a regular file",
        "tool.output_unwritten": "{path} could not be written",
        "tool.output_exists": "{path} already exists and was not overwritten",
        "tool.output_failed": "The result could not be written",
        "tool.no_home": "Neither {name} nor HOME is set",
        "tool.no_runtime_folder":
            "XDG_RUNTIME_DIR is not set. This policy keeps sessions there, because it does not allow them on disk",

        // The store
        "tool.store_missing": "There is no store at {path}",
        "tool.store_folder_missing": "The folder of the store {path} does not exist",
        "tool.store_denied": "You do not have permission to open {path}",
        "tool.other_owner":
            "{path} belongs to {owner}, and root does not use other users' files. Run: {command} latchkey …",
        "tool.store_super_journal":
            "{path} names another file, which a journal of a store never does. Find out who put it there, then delete it",
        "tool.store_older": "{path} was made by an older version of Latchkey. Run latchkey store migrate",
        "tool.store_too_old":
            "{path} was made by a pre-release version. Run accounts export --with-hashes with that version, then accounts"
            + " import with this one",
        "tool.store_folder_open":
            "Other users can write to {path}. Keep the store in a folder of your own that only you can write to",
        "tool.store_exposed": "{path} must be a regular file that only you can access: chmod 600 {path}",
        "tool.store_key_missing":
            "The key {path} is missing. Restore it from a backup, or copy the folder from a machine that uses this store",
        "tool.store_key_foreign":
            "The key {path} belongs to another store than {store}. Copy the right one from a machine that uses this store",
        "tool.store_unreachable": "Cannot connect to {path}: {reason}",
        "tool.store_incomplete": "The copy to {path} was interrupted. Repeat latchkey store copy",
        "tool.store_encoding": "The database {path} must have the encoding UTF8",
        "tool.store_refused": "PostgreSQL refused a statement in {path} (SQLSTATE {state}). Its log has the reason",
        "tool.store_outcome_unknown":
            "The connection to {path} was lost during a change. It may have succeeded: check before you repeat it",
        "tool.sealing_keys_missing":
            "Keys that hashes are sealed with are missing from keys/pepper.d: {ids}. Restore them from your copy",
        "tool.store_not_one": "{path} is not a Latchkey store and was not changed",
        "tool.store_corrupt": "The store {path} is damaged and was not changed",
        "tool.store_newer": "The store {path} needs a newer version of Latchkey and was not changed",
        "tool.store_busy": "The store {path} is locked by another process. Try again",
        "tool.store_full": "The disk of the store {path} is full. Nothing was changed",
        "tool.store_read_only": "The store {path} is read-only",
        "tool.store_network":
            "The store {path} is on a network file system, whose locks are not reliable. Move it to a disk",
        "tool.store_failed": "The store {path} could not be read or written ({code})",
        "tool.store_no_memory": "The system has not enough memory for the store {path}",
        "tool.store_stray":
            "{other}, next to the store {path}, belongs to another database or program. Nothing was changed. If a program "
            + "has the store open, close it; otherwise move that file away",
        "tool.clock_behind":
            "The clock is {hours} hours behind the store. If it is correct, run latchkey store check --accept-clock",
        "tool.session_ended": "The session has ended",
        "tool.session_exposed": "{path} must be a file that only you can access. Fix its permissions or delete it",
        "tool.session_failed": "{path} cannot be read or written",
        "tool.session_lives": "You are logged out here, but the session stays in the store until it expires",

        // The audit trail
        "tool.bad_time":
            "{name} needs a time such as 2026-01-02T03:04:05Z, a date such as 2026-01-02, or a span such as 1h or 2d",

        // The system
        "tool.no_memory": "The system is out of memory",
        "tool.no_descriptors": "Too many open files. Raise the limit with ulimit -n",
        "tool.no_threads":
            "The system allows no more threads: a process or memory limit was reached. Nothing was changed",
        "tool.unsafe_start": "latchkey must not be installed setuid",
        "tool.internal": "Something went wrong inside Latchkey. Nothing was changed",

        // Results
        "tool.logged_out": "Logged out",
        "tool.was_logged_out": "You were not logged in",
        "tool.cancelled": "Cancelled",
        "tool.no_such_account": "No such account",
        "tool.no_use_disabled": "The account is disabled. Enable it first with latchkey accounts enable",
        "tool.no_use_unverified": "The account's e-mail address is not verified yet",
        "tool.session": "{source}, last used {used}, created {created}",
        "tool.session_own": "{source}, last used {used}, created {created} (this one)",
        "tool.this_machine": "this machine",
        "tool.standard_input": "standard input",
        "tool.sessions_ended": "{count} sessions ended",
        "tool.sessions_ended.one": "1 session ended",
        "tool.logout_confirmed": "{id}: logged out ({count} sessions)",
        "tool.logout_confirmed.one": "{id}: logged out",
        "tool.logout_abandoned":
            "{id}: refused, or failed too often ({count} sessions). The log has the reason. There are no more attempts",
        "tool.logout_abandoned.one":
            "{id}: refused, or failed too often. The log has the reason. There are no more attempts",
        "tool.logout_failed":
            "{id}: not confirmed ({count} sessions). The log has the reason, and when the service tries again",
        "tool.logout_failed.one": "{id}: not confirmed. The log has the reason, and when the service tries again",
        "tool.logout_waiting": "{id}: no response yet ({count} sessions)",
        "tool.logout_waiting.one": "{id}: no response yet",
        "tool.token_refused": "This token is not valid, or its session has ended",
        "tool.sessions_of_others": "For the sessions of others, use --everyone or --account NAME",
        "tool.session_of_account": "For the sessions of an account, use --account {name} with --all",
        "tool.no_such_session": "No such session. latchkey sessions list shows them",
        "tool.sessions_choice": "Add ID, --others or --all",
        "tool.others_of_account": "--others ends your own sessions. Use --all with --account",
        "tool.nothing_to_change":
            "There is nothing to change. Without a terminal, pass a flag: latchkey profile --help lists the flags",
        "tool.password_later":
            "--{flag} is not accepted here: the owner chooses a password with the code sent by e-mail",
        "tool.code_sent": "A code is on its way to {email}",
        "tool.code_unsent": "The message with the code for {email} is in {path}. No mailer is set, so nothing sends it",
        "tool.text_limit": "{name} must be at most {maximum} bytes of text without control characters",
        "tool.generated_password":
            "The generated password has {bits} random bits, expires after {lifetime} and must be changed at the first login",
        "tool.username_unsafe": "{username} is not safe for programs; rename it with accounts update",
        "tool.address_unverified": "The address {username} is not verified, so it is not passed to programs",
        "tool.enrolment_started":
            "Add this URI to your authenticator app, then run the command again with --code-stdin and a code of the app",
        "tool.factor": "Authenticator app: set up {added}, last used {used}",
        "tool.factor_none": "No second factor: latchkey factors add totp sets up an authenticator app",
        "tool.passkey": "Passkey {id}, {name}: added {added}, last used {used}",
        "tool.passkey_removed": "Passkey removed",
        "tool.no_such_passkey": "The account has no passkey with that id",
        "tool.factor_removed": "Authenticator app removed",
        "tool.saved_codes_left": "Saved codes: {count} left",
        "tool.saved_codes_replaced": "The old saved codes no longer work",
        "tool.change_required": "Account {username} must change its password at the next login",

        // Menus
        "menu.change_password": "Change password",
        "menu.profile": "Edit profile",
        "menu.factors": "Second factor",
        "menu.add_factor": "Set up an authenticator app",
        "menu.new_codes": "New saved codes",
        "menu.remove_factor": "Remove the authenticator app",
        "menu.remove_passkey": "Remove the passkey",
        "menu.remove_passkey_ask":
            "Remove the passkey {name}? It is the last second factor: a login will need only the password",
        "menu.remove_passkey_ask.other": "Remove the passkey {name}? You cannot log in with it any more",
        "menu.remove_factor_ask.other": "Remove the authenticator app? Your passkeys and saved codes still work",
        "menu.remove_factor_ask": "Remove the authenticator app? A login will need only the password",
        "menu.sessions": "Active sessions",
        "menu.end_others": "End all other sessions",
        "menu.sessions_title": "Choose a session to end",
        "menu.end_ask": "End this session? The device that uses it must log in again",
        "menu.end_own_ask": "End this session? It is the one you use, so you will be signed out",
        "menu.end_others_ask": "End all sessions but this one?",
        "menu.end_not": "Keep",
        "menu.end": "End",
        "menu.back": "Back",
        "menu.app_passwords": "App passwords",
        "menu.app_password_new": "Create an app password",
        "menu.app_password_name": "Name of the program, such as phone",
        "menu.app_password_revoke": "Revoke {name}",
        "menu.app_password_ask": "Revoke the app password {name}? The program can no longer log in with it",
        "menu.delete_own": "Delete account",
        "menu.log_out": "Log out",
        "menu.leave": "Quit",
        "menu.delete": "Delete {username} and all data of the account?",
        "menu.delete_confirmation": "Type {username} to confirm",
        "menu.delete_account": "Delete permanently",
    ]
}
