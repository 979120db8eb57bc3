package import LatchkeyForms

extension ModuleSentences {
    /// The sentences of the commands and settings for operators, in English only.
    package static let operators = ModuleSentences("operators", isTranslated: false, english: englishOperators)

    private static let englishOperators: [String: String] = [
        // Progress
        "progress.checking": "Checking",
        "progress.importing": "Importing",
        "progress.exporting": "Exporting",
        "progress.migrating": "Migrating",
        "progress.copying": "Copying",
        "progress.applying": "Applying",

        // Lists
        "list.email": "EMAIL",
        "list.state": "STATE",
        "list.number": "NUMBER",
        "list.time": "TIME",
        "list.event": "EVENT",
        "list.account": "ACCOUNT",
        "list.actor": "ACTOR",
        "list.address": "SOURCE",
        "list.reason": "REASON",
        "list.accounts": "{count} accounts",
        "list.accounts.one": "1 account",
        "list.accounts_more": "{count} accounts. For more, add --after {name}",
        "list.accounts_more.one": "1 account. For more, add --after {name}",
        "list.accounts_no_match": "No accounts match",
        "list.records": "{count} records",
        "list.records.one": "1 record",
        "list.records_none": "No records",
        "list.records_no_match": "No records match",

        // Usage
        "tool.bad_source": "{name} needs an IPv4 or IPv6 address",
        "tool.bad_listen":
            "{name} needs an address such as 127.0.0.1:8421, or unix: and an absolute path of at most 107 bytes",
        "tool.listen_twice": "{name}: two listeners cannot have the same address",
        "tool.group_unknown": "{name}: the system has no group {group}",
        "tool.bad_origin": "{name} needs an origin such as https://accounts.example.org",
        "tool.bad_cookie_domain": "{name} needs the domain of an https --origin, such as example.org",
        "tool.bad_network": "{name} needs an address or a network such as 10.0.0.0/8, or unix",
        "tool.origin_needed": "--listen opens the service to other machines: add --origin, where people reach it",
        "tool.origin_insecure":
            "Passwords to {origin} would not be encrypted: use https, or set --insecure-origin or service.insecure_origin",
        "tool.proxy_needed":
            "An https origin needs \"service.trusted_proxies\" (--trusted-proxy): the proxy that speaks TLS. Without it, all clients would share one throttle",
        "tool.theme_empty": "{path} has no theme. It needs one of: {known}",
        "tool.bad_theme":
            "{name} must be what its name says (UTF-8 text, SVG or PNG), with at most {maximum} KiB",
        "tool.listen_in_use":
            "Cannot listen on {name}: another program uses it. Stop that program, or choose another port",
        "tool.listen_denied":
            "Cannot listen on {name}: not permitted. A port below 1024 needs root, and a socket needs a folder that this user can write",
        "tool.listen_file": "Cannot listen on {name}: a file that is not a socket has this name",
        "tool.listen_group":
            "Cannot listen on {name}: only root or a member of the group of --socket-group can give the socket to it",
        "tool.listen_folder": "Cannot listen on {name}: the folder of the socket does not exist",
        "tool.listen_address": "Cannot listen on {name}: this machine does not have the address",
        "tool.listen_failed": "Cannot listen on {name}",
        "tool.clock_differs":
            "This machine's clock differs from the database's by {seconds} s: set the clocks of both, such as with NTP",
        "tool.already_serving": "Another latchkey serve, migration or copy uses the store {path}",
        "tool.database_has_backups": "Use pg_dump and pg_restore for {path}, and keep a copy of {folder}",
        "tool.serving": "Serving {url}",
        "tool.serving_stops": "Stopping…",
        "tool.bad_policy": "{name} needs one of: {known}",
        "tool.unknown_shell": "SHELL must be one of: {known}",
        "tool.jsonl_missing": "This command reads JSON Lines. Add --jsonl",
        "tool.batch_missing": "--batch FILE is missing",
        "tool.batch_alone": "--{flag} cannot be combined with --batch",
        "tool.unknown_state": "--state needs one of: {known}",
        "tool.no_text": "--{flag} needs UTF-8 text",
        "tool.update_nothing": "Nothing to change. --help lists the flags",

        // Secrets
        "tool.secret_unwanted": "--{flag} cannot be combined with --{other}",
        "tool.preview_refused": "The description has an error. This is the last valid form",
        "tool.preview_valid": "All answers are valid. Esc ends the preview",
        "tool.bad_secret": "{name} needs a secret of {minimum} to {maximum} bytes in its first line",
        "tool.no_such_application": "There is no application {id}",
        "tool.application_exists": "There is an application {id} already. latchkey applications update {id} changes it",
        "tool.bad_application_id": "The ID of an application has 1 to 128 letters, digits and - . _ ~: not \"{id}\"",
        "tool.too_many_applications": "There are {maximum} applications already: remove some first",
        "tool.application_two_secrets":
            "{id} has two secrets. Retire the older one first: applications secret {id} --retire",
        "tool.application_one_secret": "{id} has only one secret. Without --retire, the command adds another one",
        "tool.application_public": "{id} is public and has no secret",
        "tool.unknown_application_setting": "There is no setting {name}",
        "tool.unknown_application_setting_suggestion": "There is no setting {name}. Did you mean {nearest}?",
        "tool.application_has_secret":
            "{id} has a secret, which a public application cannot keep: --drop-secrets deletes it",
        "tool.secret_unprinted": "The secret could not be printed, so it was not stored",
        "tool.application_group_unknown":
            "There is no group {name} yet. Nobody is in it until you run latchkey groups create {name}: {id} uses it",
        "tool.bad_application_setting": "{name} {problem}",
        "tool.applications_refused": "Applications that cannot be used: {count}",
        "tool.no_such_signing_key": "There is no key {id} that is in use",
        "tool.application_local":
            "The issuer is latchkey serve on this machine. Set service.origin before other machines use it",
        "tool.application_secret_once": "Store the secret in the application now. It is not shown again",
        "tool.no_access_disabled": "{id} gets no access: the application is disabled",
        "tool.no_access_account": "{id} gets no access to {username}: the account is disabled",
        "tool.no_access_unverified":
            "{id} gets no access to {username}: the address of the account is not verified yet",
        "tool.no_access_password":
            "{id} gets no access to {username}: the owner must first choose a new password",
        "tool.no_access_group":
            "{id} gets no access to {username}: the account is in none of the application's groups",
        "tool.no_access_level":
            "{id} gets no access to {username}: the application requires a second factor or a passkey, and the"
            + " account has none",
        "tool.no_access_grant": "{id} gets no access: it may not use this way to get tokens",
        "tool.no_access_session": "{id} gets no access to {username}: the session has ended",
        "tool.explain_userinfo": "Userinfo:",
        "tool.explain_id_token": "ID token, besides the required claims:",
        "tool.explain_asked": "The owner of the account is asked before the application gets them",
        "tool.application_updated": "Application {id} updated",
        "tool.application_disabled": "Application {id} disabled",
        "tool.application_enabled": "Application {id} enabled",
        "tool.application_unpinned": "Application {id} may log in without PKCE again",
        "tool.application_needs_pkce":
            "The logins with PKCE are counted from zero again, but {id} still needs PKCE: it is public, or its setting"
            + " pkce requires it",
        "tool.application_no_secret": "{id} has no secret yet: run latchkey applications secret {id}",
        "tool.openid_off": "The setting openid.enabled is false: these addresses work only once it is true",
        "tool.application_removed": "Application {id} removed",
        "tool.application_secret_retired": "The older secret of {id} is retired",
        "tool.signing_keys_rotated": "{count} new keys are published, and start signing {time}",
        "tool.signing_keys_rotated.one": "A new key is published, and starts signing {time}",
        "tool.signing_keys_sign": "{count} new keys sign from now on",
        "tool.signing_keys_sign.one": "A new key signs from now on",
        "tool.signing_keys_waiting":
            "{count} new keys are published already, and start signing {time}. --now signs with others at once",
        "tool.signing_keys_waiting.one":
            "A new key is published already, and starts signing {time}. --now signs with another one at once",
        "tool.signing_key_not_fetched": "Not known to have fetched {id}: {names}",
        "tool.signing_key_retired": "Key {id} withdrawn",
        "list.algorithm": "ALGORITHM",
        "list.last_login": "LAST LOGIN",
        "list.signs_from": "SIGNS FROM",
        "list.signs_until": "UNTIL",
        "list.active": "active",
        "list.disabled": "disabled",
        "list.key_published": "published",
        "list.key_signs": "signs",
        "list.key_retired": "retired",
        "list.applications": "{count} applications",
        "list.applications.one": "1 application",
        "list.applications_none": "No applications",
        "list.signing_keys": "{count} keys",
        "list.signing_keys.one": "1 key",
        "list.signing_keys_none": "No keys. The service creates one when it starts with an application",
        "tool.no_such_token": "There is no token with that id",
        "tool.too_many_tokens": "There are {maximum} tokens already: revoke some first",
        "tool.token_revoked": "Token {name} revoked",
        "tool.bad_group_name":
            "{name} needs the name of a group: 1 to 64 characters from a-z 0-9 . _ -, the first a letter or digit",
        "tool.no_such_group": "There is no group {name}",
        "tool.group_exists": "There is a group {name} already",
        "tool.too_many_groups": "There are {maximum} groups already: delete some first",
        "tool.too_many_groups_of_account": "An account can have at most {maximum} groups",
        "tool.group_in_use": "The group is in use: {uses}. --force changes it anyway",
        "tool.last_administrator":
            "{name} has no other active member, and Latchkey's pages for operators would be closed to everyone. Add someone first, or use --last-admin",
        "tool.group_admin_needed": "The members of this group administer Latchkey: the token needs the scope admin",
        "tool.too_many_groups_of_token": "An invitation can name at most {maximum} groups",
        "tool.group_of_sign_up": "--group needs --scope sign-up alone",
        "tool.group_created": "Group {name} created",
        "tool.group_changed": "Group {name} changed",
        "tool.group_deleted": "Group {name} deleted",
        "tool.member_added": "{username} added to {name}",
        "tool.member_present": "{username} is in {name} already",
        "tool.member_removed": "{username} removed from {name}",
        "tool.member_absent": "{username} is not in {name}",
        "list.members": "MEMBERS",
        "list.title": "TITLE",
        "list.groups": "{count} groups",
        "list.groups.one": "1 group",
        "list.groups_none": "No groups",
        "group.name": "name",
        "group.title": "title",
        "group.members": "members",
        "account.groups": "groups",
        "list.scopes": "SCOPES",
        "list.expires": "EXPIRES",
        "list.tokens": "{count} tokens",
        "list.tokens.one": "1 token",
        "list.tokens_none": "No tokens",

        // Data
        "tool.forms_refused": "Forms that cannot be used: {count}",
        "tool.file_for_folder": "{path} is a file: give the folder that it is in",
        "tool.forms_too_many": "The folder {path} has more than {maximum} JSON files",
        "tool.language_name":
            "{path} is not named after a language, such as de.json or pt-BR.json. The setting \"messages\" changes English",
        "tool.translations_refused": "Problems in translations: {count}",
        "tool.translations_refused.one": "1 problem in translations",
        "tool.translation_complete": "{file}: complete, {count} sentences",
        "tool.translation_missing": "{file}: \"{key}\" is missing",
        "tool.translation_unknown": "{file}: \"{key}\" does not exist in this version",
        "tool.form_refused": "Cannot use a form: {file}:{line}:{column}: {problem}",
        "tool.configuration_refused": "Cannot use the configuration: {file}:{line}:{column}: {problem}",
        "tool.hash_engine": "This processor does not have the hash engine {name}. Available: {known}",
        "tool.hash_engine_failed":
            "The hash engine {name} failed its test on this machine. libargon2 computes the hashes instead",
        "tool.setting_choice": "\"{key}\" must be one of: {known}",
        "tool.setting_policy": "\"policy\" must be one of: {known}",
        "tool.setting_unknown": "unknown key \"{key}\". Did you mean: {nearest}",
        "tool.setting_origin": "\"{key}\" must be an origin such as https://accounts.example.org",
        "tool.setting_store":
            "\"{key}\" must be a path, or a postgresql:// address. Put its password into a password file (~/.pgpass)",
        "tool.setting_group":
            "\"{key}\" must be the name of a group: 1 to 64 characters from a-z 0-9 . _ -, the first a letter or digit",
        "tool.setting_groups":
            "\"{key}\" must be an array of names of groups, such as [\"staff\"]: 1 to 64 characters from a-z 0-9 . _ - each",
        "tool.setting_path": "\"{key}\" must be a path without NUL characters",
        "tool.mail_server_address":
            "mailer needs a command, or a mail server as JSON: latchkey config set mailer '{json}'",
        "tool.unknown_setting": "There is no setting \"{key}\". The settings are: {known}",
        "tool.unknown_setting_suggestion": "There is no setting \"{key}\". Did you mean: {known}",
        "tool.setting_added": "{key} = {new} (was not set) in {path}",
        "tool.setting_changed": "{key} = {new} (was {old}) in {path}",
        "tool.setting_unchanged": "{key} = {new} already, in {path}",
        "tool.setting_removed": "Removed {key} (was {old}) from {path}. It is now {new}",
        "tool.setting_absent": "{path} does not have {key}. It is {new}",
        "tool.serve_refuses": "With these settings, latchkey serve would not start: {problem}",
        "tool.setting_overridden": "{name} overrides {key}, so the change has no effect here",
        "tool.setting_unset": "not set",
        "tool.setting_default": "default",
        "tool.settings_valid": "All settings are valid",
        "tool.settings_refused": "Some settings are not valid. Fix them before you run serve or other commands:",
        "tool.hash_cost_maximum":
            "The hash parameters are too high. At most {memory} KiB, {iterations} passes and {parallelism} lanes are "
            + "verified, and KiB × passes must not exceed {work}",
        "tool.hash_cost_minimum":
            "The hash parameters are too low. Use at least one lane and one of these pairs (KiB × passes): {minimums}",

        // Many accounts
        "tool.bad_format": "{name} needs one of: {known}",
        "tool.format_unknown": "Cannot tell the format of {name} from its name. Add --format with one of: {known}",
        "tool.bad_mapping": "{name} needs COLUMN=FIELD or COLUMN=, each column once. Fields: {known}",
        "tool.map_only_csv": "--map only works with a CSV file",
        "tool.import_row": "the line",
        "tool.apply_row": "the account",
        "tool.imported": "{created} created, {updated} updated, {skipped} skipped",
        "tool.import_hidden": "{count} more problems. --report FILE lists all of them",
        "tool.import_hidden.one": "1 more problem. --report FILE lists all of them",
        "tool.import_hidden_there": "{count} more problems. {path} lists all of them",
        "tool.import_hidden_there.one": "1 more problem. {path} lists all of them",
        "tool.import_existing":
            "{count} rows have an account already. --on-conflict skip leaves these accounts alone, update changes them",
        "tool.import_existing.one":
            "1 row has an account already. --on-conflict skip leaves this account alone, update changes it",
        "tool.import_without_password":
            "{count} new accounts have no password: their owners have to recover them first",
        "tool.import_without_password.one": "1 new account has no password: its owner has to recover it first",
        "tool.import_empty": "{name} has no rows",
        "tool.import_dry":
            "Dry run, nothing was written: {created} would be created, {updated} updated, {skipped} skipped",
        "tool.apply_refused": "Nothing was written. Accounts to fix: {refused}",
        "tool.apply_too_large": "{name} is larger than {maximum} MiB. Use accounts import, which has no limit",
        "tool.apply_so_far": "{done} of {total} changes written. Run the command again to finish",
        "tool.apply_interrupted": "Interrupted: {done} of {total} changes written. Run the command again to finish",
        "tool.apply_interrupted_early": "Interrupted. Nothing was written",
        "tool.no_changes": "No changes",
        "tool.name_reserved":
            "Another account released the username {username}. Its reservation ends {until}; --take-name takes it",
        "tool.import_refused": "Nothing was written. Rows to fix: {refused}",
        "tool.import_refused_some":
            "Rows to fix: {refused}. {created} created, {updated} updated, {skipped} skipped",
        "tool.import_refused_dry":
            "Rows to fix: {refused}. Dry run, nothing was written: {created} would be created, {updated} updated, "
            + "{skipped} skipped",
        "tool.stopped": "The rest failed: {failure}",
        "tool.import_so_far":
            "{created} created, {updated} updated, {skipped} skipped. Continue with --on-conflict {choice}",
        "tool.import_interrupted":
            "Interrupted: {created} created, {updated} updated, {skipped} skipped. Continue with --on-conflict {choice}",
        "tool.import_interrupted_early": "Interrupted. Nothing was written",
        "tool.import_overtaken": "Another process has meanwhile created conflicting accounts. Rows affected: {refused}",
        "tool.import_changed": "{name} changed while it was being read",
        "tool.exported": "Exported {count} accounts to {path}",
        "tool.exported.one": "Exported 1 account to {path}",
        "tool.export_exposed":
            "Hashes are secret: export to a pipe or to a file that only you can access",
        "tool.export_interrupted": "Interrupted. Nothing was written",
        "tool.copy_interrupted": "Interrupted. The same command continues the copy",
        "tool.migration_interrupted": "Interrupted. The store is unchanged",
        "tool.export_unproved": "Accounts left out because their address is not verified yet: {count}",
        "tool.export_unopened": "Hashes and secrets left out because they could not be decrypted: {count}",
        "tool.export_unknown":
            "The sign-up form has no such fields: {keys}. To import the file, use --forms with a form that has them",
        "tool.export_omitted": "Left out, because other columns have these names: {keys}",
        "tool.blocklist_line":
            "{name}, line {line}: not a password, or not in the format of the lines before. Nothing was changed",

        // Files
        "tool.trace_exposed": "{path} could be read or changed by other users",
        "tool.trace_foreign": "{path} exists and is not a trace. Choose another file",
        "tool.trace_cut": "{path} could not be written. The trace is incomplete",
        "tool.replacement_unconfirmed": "{path} already exists. Add --yes to replace it",
        "menu.replace_ask": "{path} already exists. Replace it?",
        "menu.replace": "Replace",
        "tool.output_needed": "{path} is in use by Latchkey and was not overwritten",

        // The store
        "tool.no_sealing_key": "The hashes are not sealed. latchkey pepper add creates the first key",
        "tool.pepper_unknown": "The store has no key {id}",
        "tool.pepper_current": "New hashes are sealed with {id}. Add another key first",
        "tool.pepper_in_use": "{count} hashes are sealed with {id}. Run latchkey pepper rotate first",
        "tool.pepper_in_use.one": "1 hash is sealed with {id}. Run latchkey pepper rotate first",
        "tool.pepper_refused":
            "{count} hashes cannot be decrypted, or are unsealed in a sealed store, and were left unchanged",
        "tool.pepper_refused.one":
            "1 hash cannot be decrypted, or is unsealed in a sealed store, and was left unchanged",
        "tool.pepper_added":
            "New hashes are sealed with {id}. Keep a copy of keys/pepper.d apart from the store and its backups",
        "tool.pepper_rotated": "{count} hashes resealed",
        "tool.pepper_rotated.one": "1 hash resealed",
        "tool.pepper_retired": "{id} was deleted. Backups with hashes sealed with it can no longer verify them",
        "tool.pepper_unsealed": "not sealed: {count}",
        "tool.hash_unsupported": "Not a hash that Latchkey supports",
        "tool.hash_standing_current": "Up to date",
        "tool.hash_standing_scheme": "Other scheme: will be rehashed at the owner's next login",
        "tool.hash_standing_parameters": "Other parameters: will be rehashed at the owner's next login",
        "tool.hash_standing_stronger": "Stronger than new hashes: will be kept",
        "tool.hash_standing_cost_too_high": "Never verified: needs more memory or time than is allowed",
        "tool.hash_standing_unsupported": "Never verified: not supported",
        "tool.calibrated": "{milliseconds} ms per hash, {slots} at once",
        "tool.figures": "{count}: {seconds} s, {computed} s of CPU time",
        "tool.figures_succeeded": "{count}, {succeeded} succeeded: {seconds} s, {computed} s of CPU time",
        "tool.configuration_unwritten": "{name} could not be written",
        "tool.calibrate_memory": "Not enough memory for a strong hash",
        "tool.calibrate_range": "--target-ms needs a number from {minimum} to {maximum}",
        "tool.store_setting": "This version of SQLite lacks a setting that the store {path} needs. Nothing was changed",
        "tool.backup_exists": "{path} already exists and was not overwritten",
        "tool.backup_folder": "Cannot create {path}: its folder is missing or not writable",
        "tool.backup_exposed": "Other users can change the folder of {path}. Choose a private folder",
        "tool.backup_full": "The disk has no room for {path}. No backup was made",
        "tool.backup_failed": "{path} could not be written. No backup was made",
        "tool.backup_damaged": "The backup {path} is damaged. Nothing was restored",
        "tool.backup_not_one": "{path} is not a backup of a store. Nothing was restored",
        "tool.backup_newer": "The backup {path} needs a newer version of Latchkey. Nothing was restored",
        "tool.backup_differs": "{path} does not match its manifest {manifest}. Nothing was restored",
        "tool.backup_in_use":
            "{path} is in use: {other} exists. Back it up with latchkey store backup",
        "tool.restore_exists": "{path} already has a store, or a file that belongs to one. Nothing was overwritten",

        "tool.name_collision":
            "{name} ({id}) and {other} ({other_id}) are the same username now. Both accounts were kept. Rename one of them "
            + "with latchkey accounts update",
        "tool.restore_unsealed":
            "{count} hashes of the backup are not sealed, and {path} refuses them. Restore it with --seal. Nothing was "
            + "restored",
        "tool.restore_unsealed.one":
            "1 hash of the backup is not sealed, and {path} refuses it. Restore it with --seal. Nothing was restored",

        // The audit trail
        "tool.audit_ends_earlier": "The audit trail ends earlier, with record {sequence}",
        "tool.audit_end_differs":
            "The audit trail ends with record {sequence}, but the store's key has sealed another end: another program has"
            + " removed or added records",
        "tool.audit_end_was_changed": "Another program has changed the end of the audit trail before record {sequence}",
        "tool.audit_lane_broken":
            "Another program has changed records that wait for their place in the audit trail, in lane {lane}",
        "tool.audit_broken": "The audit trail is broken at record {sequence}: it was changed or removed",
        "tool.audit_anchor_differs": "Record {sequence} of the audit trail does not match the saved hash",
        "tool.audit_anchor_after_end":
            "Records are missing: the audit trail ends before record {sequence}, which was saved",
        "tool.audit_anchor_before_start":
            "Record {sequence}, which was saved, is older than the records checked, so it cannot be compared",
        "tool.audit_anchor_unknown": "No checked record has the saved hash",
        "tool.audit_empty": "The audit trail has no records",
        "tool.bad_anchor": "{name} must contain lines of latchkey audit head, or be a SHA-256 hash in hexadecimal",
        "tool.unknown_event": "Unknown event \"{event}\". The events are: {known}",
        "tool.unknown_event_suggestion": "Unknown event \"{event}\". Did you mean \"{nearest}\"?",
        "tool.audit_mine_alone": "--mine cannot be combined with --account",

        // Results
        "tool.other_count_typed": "You did not type {count}, so no account was deleted",
        "tool.other_name_typed": "You typed another name, so {username} was not deleted",
        "tool.no_such_form": "No such form",
        "tool.blocklist_imported": "Passwords on your list: {count}",
        "tool.password_set": "Password set for {username}. The owner gets a message",
        "tool.message_sent": "Message for {email} handed to the mailer",
        "tool.message_unsent": "The message for {email} is in {path}. No mailer is set, so nothing sends it",
        "tool.first_administrator":
            "No accounts yet. latchkey accounts create NAME --email ADDRESS --admin creates an administrator for {url}",
        "tool.no_mailer":
            "\"mailer\" is not set: messages stay in {path}, and nothing sends them. latchkey config set mailer sendmail -- -t names a program",
        "tool.bad_address": "{name} must be an e-mail address, such as ada@example.org",
        "tool.mail_undelivered":
            "{count} messages could not be delivered and wait for another attempt, the oldest from {since}: {reason}. latchkey mailer test ADDRESS shows whether mail works now",
        "tool.mail_undelivered.one":
            "1 undelivered message from {since} waits for another attempt: {reason}. latchkey mailer test ADDRESS shows whether mail works now",
        "tool.mail_attempt_failed": "Message {id} was not delivered: {reason}. Next attempt: {next}",
        "tool.mail_attempt_last": "none",
        "tool.logout_attempt_failed": "Application {id} was not notified of a logout: {reason}. Next attempt: {next}",
        "tool.mailer_failed": "The message could not be delivered ({code})",
        "tool.mailer_missing": "The setting \"mailer\" names {program}, which does not exist or cannot be run",
        "tool.mailer_exited": "The mailer failed with exit status {status}",
        "tool.mailer_killed": "The mailer was killed by signal {signal}",
        "tool.mailer_slow": "The mailer did not finish in time and was stopped",
        "tool.mail_unreachable": "The mail server cannot be reached, or it closed the connection",
        "tool.mail_slow": "The mail server did not answer in time",
        "tool.mail_certificate": "The certificate of the mail server is not valid or not trusted",
        "tool.mail_unencrypted": "The mail server does not offer encryption that Latchkey accepts. Nothing was sent",
        "tool.mail_login": "The mail server refused the login: {reply}",
        "tool.mail_deferred": "The mail server refused the message for now: {reply}",
        "tool.mail_sender": "The mail server refused the sender: {reply}",
        "tool.mail_refused": "The mail server refused the message: {reply}",
        "tool.mail_address": "Latchkey does not send mail to this address",
        "tool.mail_international": "The mail server does not support addresses beyond ASCII (SMTPUTF8)",
        "tool.mail_failed": "The mail server gave an unexpected reply: {reply}",
        "tool.setting_mailer":
            "\"mailer\" must be a list with a program's name or absolute path and its arguments, or an object with \"smtp\"",
        "tool.mail_server_refused": "The setting \"mailer\" is not valid: {problem}",
        "tool.message_accepted": "The mail server accepted the message for {email}: {reply}",
        "tool.setting_text_limit": "\"{key}\" must be at most {maximum} bytes of text without control characters",
        "tool.setting_sentence": "\"{key}\" must be at most {maximum} bytes of text without control characters",
        "tool.setting_twice": "\"{key}\" is set twice, once in the object \"{group}\". Remove one of them",
        "tool.setting_sentence_unknown": "There is no message \"{key}\"",
        "tool.setting_sentence_braces": "\"{key}\" uses an unknown name in braces. Known: {allowed}",
        "tool.setting_sentence_retired":
            "The setting \"messages\" still has \"{key}\", which this version no longer uses. Remove it",
        "set_password.title": "Set a password",
        "set_password.submit": "Set password",
        "tool.account_unlocked": "Account {username} unlocked",
        "tool.account_unlocked_in_vain":
            "Account {username} unlocked, but after so many failures it must be recovered: latchkey accounts recover",
        "tool.account_disabled": "Account {username} disabled. latchkey accounts enable {username} reverses this",
        "tool.account_disabled_still":
            "Account {username} stays disabled: unlock only ends delays. latchkey accounts enable {username} enables it",
        "tool.account_enabled": "Account {username} enabled",
        "tool.factors_none": "Account {username} has no second factor",
        "tool.factors_reset": "Second factors of account {username} removed, and its sessions ended",
        "tool.account_updated": "Account {username} updated: {fields}",
        "tool.account_unchanged": "Account {username} is already up to date",
        "tool.account_deleted": "Account {username} deleted",
        "tool.audit_intact": "The audit trail is intact: records {first} to {last}",
        "tool.audit_intact_from": "The audit trail is intact: records {first} to {last} (older ones were deleted)",
        "tool.audit_nothing": "The audit trail has no records from {first} on",
        "tool.maintained":
            "Sessions ended: {sessions_ended}. Audit records deleted: {records_dropped}. Messages waiting: "
            + "{messages_waiting}, deleted: {messages_deleted}",
        "tool.store_backed_up": "{path}: schema {schema}, {records} audit records, SHA-256 {digest}",
        "tool.store_restored": "Restored {path}. Its sessions, codes and app passwords are no longer valid",
        "tool.key_made": "The key {path} was missing. A new one was created, and all throttles were reset",
        "tool.store_migrated": "Migrated {path} from schema {from} to {to}. A copy of the old store is at {copy}",
        "tool.database_migrated": "Migrated {path} from schema {from} to {to}",
        "tool.store_copied": "Copied {count} rows to {target}. Its keys are in {keys}",
        "tool.store_current": "{path} already has the newest schema, {to}",
        "tool.clock_accepted": "The clock was accepted as correct",
        "tool.form_links": "links: {links}",

        // An account, one line for each value
        "account.id": "id",
        "account.username": "username",
        "account.email": "email",
        "account.state": "state",
        "account.created": "created",
        "account.last_login": "last login",
        "account.password": "password",
        "account.generated": "generated, expires {time}",
        "account.recovery": "recovery",
        "account.recovery_needed": "needed after too many failed logins",
        "account.must_change": "must be changed at the next login",
        "account.failed_logins": "failed logins",
        "account.failed_since": "{count} since the last login (latest {time})",
        "account.locked": "locked",
        "account.locked_for": "for {seconds} s. latchkey accounts unlock removes the delay",

        // Findings of store check
        "tool.store_unsound": "The store {path} has problems:",
        "tool.problems_found": "There are problems:",
        "tool.unhealthy": "{server} is not ready: {problem}",
        "tool.healthy": "{server} is ready: {answer}",
        "tool.invite_local":
            "The link leads to latchkey serve on this machine. Set service.origin before you invite people on other machines",
        "tool.invited": "The link is also on its way to {email}",
        "check.ok": "{check}: ok",
        "check.queue": "queue: {count} messages wait to be sent",
        "check.queue.one": "queue: 1 message waits to be sent",
        "check.store_missing": "there is no store at {path} yet: latchkey setup or latchkey serve creates it",
        "check.warning": "{check}: warning: {problem}",
        "check.super_journal":
            "{path} names another file, which a journal of a store never does. Find out who put it there, then delete it",
        "check.folder_open":
            "Other users can write to {path}. Keep the store in a folder of your own that only you can write to",
        "check.exposed": "{path} must be a regular file that only you can access: chmod 600 {path}",
        "check.stray": "{path} belongs to another database or program. Move it away to use the store",
        "check.damaged":
            "{problem}. Restore a backup to another path (latchkey store restore), or save what is left with .recover of "
            + "sqlite3",
        "check.value_invalid":
            "{table}.{column} of row {row} has an impossible value. Restore a backup to another path (latchkey store "
            + "restore), or correct the value with sqlite3",
        "check.table_missing": "the table {table} is missing or lacks a column. Restore a backup",
        "check.cut_short": "the file is damaged or truncated",
        "check.not_a_store": "not a Latchkey store. Restore a backup to another path (latchkey store restore)",
        "check.failed": "the file could not be read ({code})",
        "check.unfinished":
            "a change was interrupted. Run another command, such as latchkey accounts list, to undo it, and check again",
        "check.schema_older":
            "schema {schema} is older than {newest}. Run latchkey store migrate",
        "check.audit_end_differs": "the end of the audit trail was changed",
        "check.audit_lane_broken": "records that wait for their place in the audit trail were changed, in lane {lane}",
        "check.audit_broken": "the audit trail was changed at record {sequence}",
        "check.key_foreign": "the key {path} belongs to another store",
        "check.key_missing": "the key {path} is missing or damaged. Restore it from a backup",
        "check.list_unusable":
            "{path} is damaged, unreadable or writable by others. Fix or remove it: until then, no password can be set",
        "check.pepper_missing":
            "the key {id} that hashes are sealed with is missing or damaged. Restore it from a backup",
        "check.hash_unusable":
            "{count} accounts have a password hash that cannot be verified: unknown scheme or too expensive",
        "check.hash_unusable.one":
            "1 account has a password hash that cannot be verified: unknown scheme or too expensive",
        "check.hash_not_sealed":
            "{count} accounts have a hash that is not sealed, and cannot log in, because of {path}. Someone else wrote to "
            + "the store, or it is an old backup: then use latchkey store restore with --seal",
        "check.hash_not_sealed.one":
            "1 account has a hash that is not sealed, and cannot log in, because of {path}. Someone else wrote to the "
            + "store, or it is an old backup: then use latchkey store restore with --seal",
        "check.mail_unsent":
            "\"mailer\" is not set: messages stay in {path}, and nothing sends them. latchkey config set mailer sendmail -- -t names a program",
        "check.mail_undelivered":
            "{count} messages could not be delivered and wait for another attempt, the oldest from {since}: {reason}. latchkey mailer test ADDRESS shows whether mail works now",
        "check.mail_undelivered.one":
            "1 undelivered message from {since} waits for another attempt: {reason}. latchkey mailer test ADDRESS shows whether mail works now",
        "check.clock_behind": "the clock is {minutes} minutes behind the store",
        "check.space_low": "the disk has {mebibytes} MiB left",
        "check.reserve_missing":
            "there is no reserve for ending sessions on a full disk. The next use of the store creates it",
        "check.library_old":
            "SQLite {version} has a bug that can damage databases in WAL mode. Latchkey does not use that mode",

        // Menus
        "menu.delete_several": "Delete {count} accounts and all their data: {names}?",
        "menu.delete_several.one": "Delete 1 account and all its data: {names}?",
        "menu.delete_several_confirmation": "Type {count} to confirm",
        "menu.create": "Create an account",
        "menu.update": "Edit account {username}",
        "menu.remove_application": "Remove {name}",
        "menu.remove_application_confirmation": "Type {id} to confirm. This ends all logins to the application",
        "menu.remove_application_submit": "Remove",
        "menu.prune_applications": "Remove {names}, which {file} does not name?",
        "menu.prune": "Delete {count} accounts that are not in {name}?",
        "menu.prune.one": "Delete 1 account that is not in {name}?",
        "menu.prune_keep": "Keep them",
        "menu.prune_remove": "Delete permanently",
    ]
}
