extension MessageTable {
    /// What the command line says, beyond the forms.
    static let englishCommandLine: [String: String] = [
        // Used wrongly
        "tool.unknown_command": "unknown command \"{command}\"; latchkey --help lists them",
        "tool.unknown_command_suggestion": "unknown command \"{command}\"; did you mean \"{nearest}\"?",
        "tool.command_missing": "\"{group}\" needs one of: {known}",
        "tool.unknown_flag": "unknown flag {flag}",
        "tool.unknown_flag_suggestion": "unknown flag {flag}; did you mean {nearest}?",
        "tool.flag_twice": "--{flag} is there twice",
        "tool.flag_takes_none": "--{flag} takes no value",
        "tool.flag_needs_value": "--{flag} needs a value; one that begins with a hyphen is written --{flag}=VALUE",
        "tool.no_arguments": "the arguments cannot be read: /proc is not mounted",
        "tool.operand_missing": "{name} is missing",
        "tool.operand_first": "{name} is missing, or stands behind the flags of its fields",
        "tool.program_behind_dashes": "the program and its arguments stand behind --",
        "tool.checkpassword_input":
            "descriptor 3 must have a name, a password and a timestamp, each with a NUL behind it, in at most {maximum} bytes",
        "tool.program_not_found": "{name}: there is no such program",
        "tool.cannot_execute": "{name}: it cannot be executed",
        "tool.operand_too_many": "too many words after \"{command}\"",
        "tool.argument_too_long": "an argument is longer than {maximum} bytes",
        "tool.bad_path": "{name} needs a path",
        "tool.bad_source": "--source needs an IPv4 or IPv6 address",
        "tool.bad_number": "{name} needs a whole number",
        "tool.bad_policy": "{name} needs one of: {known}",
        "tool.bad_language": "{name} needs one of these languages: {known}",
        "tool.flags_missing": "some answers are missing or refused:",
        "tool.unknown_shell": "SHELL is one of: {known}",
        "tool.unknown_flow": "--open needs one of: {known}",
        "tool.unknown_form": "--form needs one of: {known}",
        "tool.jsonl_missing": "what is read are JSON Lines, and --jsonl is needed to say so",
        "tool.batch_missing": "--batch FILE is missing: what is to be read",
        "tool.batch_alone": "--{flag} and --batch cannot go together",
        "tool.unknown_state": "--state needs one of: {known}",
        "tool.no_text": "--{flag} needs text in UTF-8",
        "tool.update_nothing": "no flag says what to change; latchkey accounts update --help lists them",
        "tool.no_terminal": "there is no terminal to ask in; latchkey --help lists the commands for scripts",
        "tool.yes_needed": "there is no terminal to ask in; --yes says that you are sure",

        // Secrets
        "tool.secret_argument":
            "--{given} is not taken on the command line, where every user of the machine could read it; use "
            + "--{flag}-stdin, --{flag}-file PATH or --{flag}-fd N",
        "tool.secret_environment":
            "{name} is set, but an environment is no place for a secret; use --{flag}-stdin, --{flag}-file PATH or "
            + "--{flag}-fd N",
        "tool.hash_argument":
            "--{given} is not taken on the command line, where every user of the machine could read it; a hash is taken by "
            + "accounts create --password-hash-stdin, and by accounts import",
        "tool.hash_environment":
            "{name} is set, but an environment is no place for a hash; one is taken by accounts create "
            + "--password-hash-stdin, and by accounts import",
        "tool.secret_unwanted": "--{flag} and --{other} cannot go together",
        "tool.secret_twice": "--{flag}-stdin, --{flag}-file and --{flag}-fd cannot go together",
        "tool.secret_from_terminal": "{flag} reads from a pipe or a file; leave it out to be asked",
        "tool.secret_missing": "{flag}: there is nothing to read",
        "tool.input_left_over": "standard input has more lines than there are flags that read one",

        // Data
        "tool.validation_failed": "some answers were refused:",
        "tool.forms_refused": "{count} of the forms cannot be used:",
        "tool.forms_too_many": "the folder {path} has more than {maximum} descriptions of forms",
        "tool.form_refused": "a form cannot be used: {file}:{line}:{column}: {problem}",
        "tool.configuration_refused": "the configuration cannot be used: {file}:{line}:{column}: {problem}",
        "tool.setting_policy": "\"policy\" must be one of: {known}",
        "tool.setting_path": "\"{key}\" must be a path, without NUL characters",
        "tool.setting_unset": "not set",
        "tool.setting_default": "default",
        "tool.settings_refused": "some settings are refused; no other command works until they are right:",
        "tool.hash_cost_high":
            "the parameters of new password hashes are too high; at most 262144 KiB, 64 passes and 16 lanes are verified, "
            + "and 1048576 KiB times passes",
        "tool.hash_cost":
            "the parameters of new password hashes are too weak; at least 19456 KiB, 2 passes and 1 lane are needed",

        // Many accounts
        "tool.bad_format": "--format needs one of: {known}",
        "tool.format_unknown": "the name {name} does not tell how the file is written; --format needs one of: {known}",
        "tool.bad_choice": "{name} needs one of: {known}",
        "tool.import_row": "the line",
        "tool.imported": "Accounts made: {created}, changed: {updated}, left as they are: {skipped}",
        "tool.import_empty": "{name} has no rows",
        "tool.import_dry":
            "Nothing was written. Accounts to be made: {created}, changed: {updated}, left as they are: {skipped}",
        "tool.apply_refused": "accounts were refused: {refused}; nothing was written",
        "tool.apply_too_large": "{name} has more than {maximum} MiB; accounts import takes files of any size",
        "tool.apply_so_far": "changes done: {done} of {total}; another run finishes the work",
        "tool.apply_interrupted": "interrupted; changes done: {done} of {total}; another run finishes the work",
        "tool.apply_interrupted_early": "interrupted; nothing was written",
        "tool.no_changes": "no changes",
        "tool.import_refused": "rows were refused: {refused}; nothing was written",
        "tool.import_refused_some":
            "rows were refused: {refused}; accounts made: {created}, changed: {updated}, left as they are: {skipped}",
        "tool.import_refused_dry":
            "rows were refused: {refused}; nothing was written. Accounts to be made: {created}, changed: {updated}, left as "
            + "they are: {skipped}",
        "tool.stopped": "from here on: {failure}",
        "tool.import_so_far":
            "accounts made: {created}, changed: {updated}, left as they are: {skipped}; --on-conflict skip goes on from here",
        "tool.import_interrupted":
            "interrupted; accounts made: {created}, changed: {updated}, left as they are: {skipped}; --on-conflict skip "
            + "goes on from here",
        "tool.import_interrupted_early": "interrupted; nothing was written",
        "tool.import_overtaken": "meanwhile somebody has made accounts that stand in the way of rows: {refused}",
        "tool.import_changed": "{name} has been changed while it was read",
        "tool.exported": "Wrote {count} accounts to {path}",
        "tool.export_exposed":
            "hashes can be guessed at, and go only to a pipe or to a file of this user's alone, not to what others read",
        "tool.export_interrupted": "interrupted; nothing was written",
        "tool.export_unproved": "left out, for their addresses are not proved yet: {count}",
        "tool.export_unopened": "hashes that could not be opened, and were left out: {count}",
        "tool.export_unknown": "left out, for the set-up form has no such fields: {keys}",

        "tool.blocklist_line":
            "{name}: line {line} is no password, or not like the lines before; nothing was changed",

        // Files
        "tool.input_unreadable": "{name} cannot be read",
        "tool.input_exposed": "{name} can be changed by others; take that away (chmod go-w) first",
        "tool.input_open": "{name} can be read by others",
        "tool.input_missing": "{name} is not there",
        "tool.input_denied": "{name} may not be read by this user",
        "tool.output_exposed": "{path} would lie where other users can change it",
        "tool.output_full": "the disk has no room for {path}",
        "tool.output_folder":
            "{path} cannot be made: its folder is not there, or may not be written to, or something else has its name",
        "tool.trace_exposed": "{path}: other users could read or change it",
        "tool.trace_foreign": "{path} is there already, and is no trace; choose another file",
        "tool.trace_cut": "{path} could not be written to; the trace is not whole",
        "tool.output_needed": "{path} is a file that is needed here, and is not written over",
        "tool.output_unwritten": "{path} could not be written",
        "tool.output_exists": "{path} is there already, and nothing is written over it",
        "tool.output_failed": "the result could not be written",
        "tool.no_home": "neither {name} nor HOME is set",

        "tool.no_runtime_folder":
            "under this policy a session is kept on no disk, and XDG_RUNTIME_DIR, where it would be, is not set",

        // The store
        "tool.store_missing": "there is no store at {path}",
        "tool.store_folder_missing": "the folder of the store {path} is not there",
        "tool.store_denied": "{path} may not be opened by this user",
        "tool.store_exposed":
            "{path} is open to other users, belongs to one, or is no plain file; it must be yours alone",
        "tool.store_key_missing":
            "the key {path} is gone; without it no throttle and no recovery code can be judged. Put it back from a backup",
        "tool.sealing_keys_missing":
            "keys that hashes are sealed with are not in keys/pepper.d beside the store: {ids}; put them back from where they are kept",
        "tool.no_sealing_key": "the hashes are not sealed: latchkey pepper add makes the first key",
        "tool.pepper_unknown": "the store knows of no key {id}",
        "tool.pepper_current": "new hashes are sealed with {id}: add another key first",
        "tool.pepper_in_use": "{count} hashes are sealed with {id}: rotate first",
        "tool.pepper_refused": "{count} hashes were left as they are: they could not be opened",
        "tool.pepper_added":
            "New hashes are sealed with {id}. Keep a copy of keys/pepper.d apart from the store and its backups",
        "tool.pepper_rotated": "{count} hashes sealed anew",
        "tool.pepper_retired": "{id} is gone. What a backup has sealed with it cannot be opened any more",
        "tool.pepper_unsealed": "not sealed: {count}",
        "tool.hash_unsupported": "this is no hash that latchkey knows",
        "tool.hash_standing_current": "as new hashes are",
        "tool.hash_standing_scheme": "of another scheme: made anew at its owner's next login",
        "tool.hash_standing_parameters": "with other parameters: made anew at its owner's next login",
        "tool.hash_standing_stronger": "dearer than new hashes are: left as it is",
        "tool.hash_standing_cost_too_high": "it asks for more memory or time than is allowed, and is never verified",
        "tool.hash_standing_unsupported": "it is never verified",
        "tool.calibrated": "{milliseconds} ms each, {slots} at once",
        "tool.figures": "{count}: {seconds} s, {computed} s of the processor",
        "tool.figures_succeeded": "{count}, {succeeded} succeeded: {seconds} s, {computed} s of the processor",
        "tool.configuration_unwritten": "{name} could not be written",
        "tool.calibrate_memory": "there is too little memory for a hash that is worth its name",
        "tool.calibrate_target": "--target-ms needs a number from 50 to 1000",
        "tool.store_not_one": "{path} is not a store of latchkey; it was not touched",
        "tool.store_corrupt": "the store {path} is damaged; it was not touched",
        "tool.store_newer": "the store {path} was made by a newer version; it was not touched",
        "tool.store_busy": "the store {path} is locked by another process",
        "tool.store_full": "the disk of the store {path} is full; nothing was changed",
        "tool.store_read_only": "the store {path} cannot be written to",
        "tool.store_network": "the store {path} lies on a network file system, where its locks cannot be relied on",
        "tool.store_failed": "the store {path} could not be read or written ({code})",
        "tool.store_no_memory": "the system has no memory left for the store {path}",
        "tool.store_stray":
            "beside the store {path} lies {other}, which is another database's or another program's; nothing was touched. "
            + "If a program has the store open, close it there; else move that file away",
        "tool.clock_behind":
            "the clock is {hours} hours behind what the store has seen; if it is right, latchkey store check "
            + "--accept-clock says so",
        "tool.store_setting": "this SQLite does not take a setting that the store {path} needs; nothing was done",
        "tool.backup_exists": "{path} is there already, and is not written over",
        "tool.backup_folder": "{path} cannot be made: its folder is not there, or may not be written to",
        "tool.backup_exposed": "{path} would lie where other users can change it",
        "tool.backup_full": "the disk has no room for {path}; nothing was made",
        "tool.backup_failed": "{path} could not be written; nothing was made",
        "tool.backup_damaged": "the backup {path} is damaged; nothing was restored",
        "tool.backup_not_one": "{path} is no backup of a store; nothing was restored",
        "tool.backup_newer": "the backup {path} was made by a newer version; nothing was restored",
        "tool.backup_differs": "{path} is not the file that {manifest} describes; nothing was restored",
        "tool.backup_in_use":
            "{path} is a store in use, for {other} lies beside it; latchkey store backup makes a backup of it",
        "tool.restore_exists":
            "at {path} there is a store already, or a file that belongs to one; nothing was written over it",
        "tool.session_exposed":
            "{path} is open to other users, or is no file of this user's; take that away, or remove it",
        "tool.session_failed": "{path} cannot be read or written",
        "tool.session_lives": "the session is forgotten here, but lives in the store until it expires",

        // The audit trail
        "tool.audit_broken":
            "the audit trail is broken at record {sequence}: it is not as it was written, or not there",
        "tool.audit_anchor_differs": "record {sequence} of the audit trail is not the one whose hash was kept",
        "tool.audit_anchor_after_end":
            "the audit trail ends before record {sequence}, whose hash was kept: records are missing",
        "tool.audit_anchor_before_start":
            "record {sequence}, whose hash was kept, lies before those that were checked; nothing can be said of it",
        "tool.audit_anchor_unknown": "none of the records that were checked has the hash that was kept",
        "tool.audit_empty": "the audit trail has no records",
        "tool.bad_anchor": "{name} has no line of latchkey audit head, and is no hash of 64 hexadecimal digits",
        "tool.bad_time": "{name} needs a time such as 2026-01-02T03:04:05Z, or a day such as 2026-01-02",
        "tool.unknown_event": "unknown event \"{event}\"; docs/audit-events.md has the list",
        "tool.unknown_event_suggestion": "unknown event \"{event}\"; did you mean \"{nearest}\"?",
        "tool.audit_mine_alone": "--mine and --account cannot go together",

        // The system
        "tool.no_memory": "the system has no memory left",
        "tool.no_descriptors": "too few files may be open at once: see ulimit -n",
        "tool.no_threads":
            "the system gives no more threads, by a limit of processes or of memory; nothing was done",
        "tool.unsafe_start": "latchkey must not run setuid",
        "tool.internal": "something went wrong inside latchkey; nothing was changed",

        // Results
        "tool.logged_out": "Logged out",
        "tool.was_logged_out": "Nobody was signed in",
        "tool.cancelled": "cancelled",
        "tool.no_such_account": "no such account",
        "tool.no_use_disabled": "the account is disabled; accounts enable it first",
        "tool.no_such_form": "no such form",
        "tool.blocklist_imported": "Passwords that nobody may set now: {count}",
        "tool.session": "{id}  last used {used}  created {created}  {source}",
        "tool.session_own": "{id}  (this one)  last used {used}  created {created}  {source}",
        "tool.this_machine": "this machine",
        "tool.standard_input": "standard input",
        "tool.sessions_ended": "Sessions ended: {count}",
        "tool.token_refused": "the token opens no session: it never did, or the session has ended",
        "tool.no_such_session": "no such session; latchkey sessions list shows them",
        "tool.sessions_choice": "one of ID, --others and --all is needed",
        "tool.others_of_account": "--others is for one's own sessions; use --all with --account",
        "tool.nothing_to_change":
            "there is no terminal to ask in, and no flag says what to change; latchkey profile --help lists them",
        "tool.password_later":
            "--{flag} is not taken here: the password is chosen with the code that is sent to the address",
        "tool.password_set": "The password of {username} is set, and the owner is told",
        "tool.code_sent": "A code is on its way to {email}",
        "tool.message_sent": "A message for {email} was handed over",
        "tool.bad_address": "ADDRESS must be an e-mail address, such as ada@example.org",
        "tool.mailer_failed": "the message could not be handed over ({code})",
        "tool.mailer_missing": "the setting \"mailer\" names {program}, which is not there or cannot be run",
        "tool.mailer_exited": "the mailer ended with status {status}",
        "tool.mailer_killed": "the mailer was ended by signal {signal}",
        "tool.mailer_slow": "the mailer took longer than 30 s, and was ended",
        "tool.setting_mailer":
            "\"mailer\" must be a list of a program's name or absolute path and its arguments, without NUL characters",
        "tool.setting_text": "\"{key}\" must be at most 255 bytes of text, without control characters",
        "tool.bad_text": "{name} must be at most 255 bytes of text, without control characters",
        "tool.setting_sentence": "\"{key}\" must be at most {maximum} bytes of text, without control characters",
        "tool.setting_sentence_unknown":
            "there is no sentence \"{key}\"; those that there are stand in Sources/LatchkeyForms/Messages",
        "tool.setting_sentence_braces":
            "braces in \"{key}\" stand around something that is none of its values; known: {allowed}",
        "set_password.title": "Set a password",
        "set_password.submit": "Set the password",
        "tool.password_generated":
            "The password has {bits} random bits, opens the account for a day, and has to be changed at the first login",
        "tool.account_unlocked": "Account {username} can be logged in to at once",
        "tool.account_unlocked_in_vain":
            "Account {username} may be tried at once, but no password opens it after so many failures: see accounts recover",
        "tool.account_disabled": "Account {username} disabled",
        "tool.account_enabled": "Account {username} enabled",
        "tool.change_required": "Account {username} has to change its password at the next login",
        "tool.account_updated": "Account {username} changed: {fields}",
        "tool.account_unchanged": "Account {username} was so already; nothing was changed",
        "tool.account_deleted": "Account {username} deleted",
        "tool.audit_intact": "The audit trail is intact: records {first} to {last}",
        "tool.audit_intact_from": "The audit trail is complete from record {first} to {last}; older ones were dropped",
        "tool.audit_nothing": "The audit trail has no records from {first} on",
        "tool.maintained":
            "{sessions_ended} sessions ended, {records_dropped} audit records dropped, {messages_waiting} messages wait",

        "tool.store_backed_up": "{path}: schema {schema}, {records} audit records, SHA-256 {digest}",
        "tool.store_restored": "Restored {path}; nobody is signed in, and no code is valid",
        "tool.key_made":
            "there was no key {path}; a new one was made, and every throttle was cleared with the old one",
        "tool.store_migrated": "Took {path} from schema {from} to {to}; as it was it lies at {copy}",
        "tool.store_current": "{path} has schema {to}, the newest",
        "tool.clock_accepted": "The clock is taken for right",
        "tool.form_links": "links: {links}",

        // An account, a line for each thing that is known
        "account.id": "id",
        "account.username": "username",
        "account.email": "email",
        "account.state": "state",
        "account.created": "created",
        "account.password": "password",
        "account.generated": "generated; opens until {time}",
        "account.recovery": "recovery",
        "account.recovery_needed": "needed; no password opens the account after so many failures",
        "account.must_change": "must be changed at the next login",
        "account.failed_logins": "failed logins",
        "account.failed_since": "{count} since the last one, the newest at {time}",
        "account.locked": "locked",
        "account.locked_for": "for {seconds} s; accounts unlock ends that",

        // What a check finds
        "tool.store_unsound": "something is wrong with the store {path}:",
        "check.ok": "{check}: ok",
        "check.warning": "{check}: warning: {problem}",
        "check.exposed": "{path} is open to other users, or is no plain file; it must be yours alone",
        "check.stray": "{path} is another database's or another program's; the store is not used while it lies there",
        "check.damaged":
            "{problem}. Restore a backup (latchkey store restore) in another place; what else can be saved, "
            + "sqlite3's .recover writes to a new file",
        "check.cut_short": "the file is damaged, or cut short",
        "check.not_a_store":
            "the file is no store of latchkey. Restore a backup (latchkey store restore) in another place",
        "check.failed": "the file could not be read ({code})",
        "check.unfinished":
            "a change was cut off, and the next one undoes it; run another command, such as accounts list, and check again",
        "check.schema_older":
            "schema {schema} is older than {newest}; the next use, or latchkey store migrate, changes it",
        "check.audit_broken": "the audit trail was changed at record {sequence}",
        "check.key_missing": "the key {path} is gone, or is not one; put it back from a backup",
        "check.list_unusable":
            "{path} is damaged or cannot be read, or others can change it; no password can be set until it is put right "
            + "or removed",
        "check.pepper_missing":
            "the key {id}, with which password hashes are sealed, is gone, or is not one; put it back from a copy",
        "check.hash_unusable":
            "{count} accounts have a password hash of an unknown scheme, or one that costs more than is verified",
        "check.clock_behind": "the clock is {minutes} minutes behind what the store has seen",
        "check.space_low": "the disk has {mebibytes} MiB left",
        "check.reserve_missing": "no room is kept for ending sessions on a full disk; the next use makes it",
        "check.library_old":
            "SQLite {version} can damage databases that use its log (WAL), before 3.51.3; stores of latchkey do not",

        // Recordings
        "tool.record_without_terminal": "--record keeps what happens in a terminal; here nothing is asked in one",
        "tool.recording_cut": "{path} could not be written to the end; what is in it can be replayed up to there",
        "tool.recording_bad": "{name}, line {line}: {reason}",
        "tool.replay_same": "{name} happens again as it was recorded: {lines} lines, {frames} frames, {events} events",
        "tool.replay_differs": "{name}, line {line}: it does not happen again as latchkey {version} has recorded it",
        "tool.replay_narrow": "it was recorded on {columns} columns, and this terminal has fewer",
        "tool.bad_speed": "--speed needs a number, 0 or more, such as 2 or 0.5",
        "tool.speed_and_step": "--speed and --step are two ways to watch; give one of them",
        "recording.none": "this is no recording of latchkey",
        "recording.newer": "this is a recording of format {version}, which a later latchkey has made",
        "recording.json": "this is no JSON",
        "recording.cut": "the line is cut short",
        "recording.unknown": "a recording has no such line",
        "recording.backwards": "this happened before the line above it",
        "recording.after_end": "the session has ended above",
        "recording.too_long": "this is longer than any recording",

        // Menus
        "menu.change_password": "Change the password",
        "menu.profile": "Look at the account, and change it",
        "menu.sessions": "See where the account is signed in",
        "menu.end_others": "End all others",
        "menu.sessions_title": "Choose a session to end it",
        "menu.log_out": "Log out",
        "menu.leave": "Leave",
        "menu.delete": "Delete {username}, and all that is kept of the account?",
        "menu.delete_name": "The username, to be sure",
        "menu.update": "Change the account of {username}",
        "menu.prune": "Accounts that {name} does not name: {count}. Remove them, and all that is kept of them?",
        "menu.prune_keep": "Change nothing",
        "menu.prune_remove": "Remove them",
        "menu.delete_account": "Delete it",
    ]
}
