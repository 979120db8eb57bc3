extension MessageTable {
    /// What the command line says, beyond the forms.
    static let portugueseCommandLine: [String: String] = [
        // Used wrongly
        "tool.unknown_command": "comando \"{command}\" desconhecido; latchkey --help mostra os que há",
        "tool.unknown_command_suggestion": "comando \"{command}\" desconhecido; seria \"{nearest}\"?",
        "tool.command_missing": "\"{group}\" precisa de um destes: {known}",
        "tool.unknown_flag": "opção {flag} desconhecida",
        "tool.unknown_flag_suggestion": "opção {flag} desconhecida; seria {nearest}?",
        "tool.flag_twice": "--{flag} está lá duas vezes",
        "tool.flag_takes_none": "--{flag} não leva valor",
        "tool.flag_needs_value": "--{flag} precisa de um valor; se começar por um hífen, escreve-se --{flag}=VALOR",
        "tool.no_arguments": "não é possível ler os argumentos: /proc não está montado",
        "tool.operand_missing": "falta {name}",
        "tool.operand_first": "falta {name}, ou está depois das opções dos seus campos",
        "tool.program_behind_dashes": "o programa e os seus argumentos vêm depois de --",
        "tool.checkpassword_input":
            "o descritor 3 tem de ter um nome, uma palavra-passe e uma data, cada um com um NUL atrás, em no máximo "
            + "{maximum} bytes",
        "tool.program_not_found": "{name}: esse programa não existe",
        "tool.cannot_execute": "{name}: não se pode executar",
        "tool.operand_too_many": "há palavras a mais depois de \"{command}\"",
        "tool.argument_too_long": "um argumento tem mais de {maximum} bytes",
        "tool.bad_path": "{name} precisa de um caminho",
        "tool.bad_source": "--source precisa de um endereço IPv4 ou IPv6",
        "tool.bad_number": "{name} precisa de um número inteiro",
        "tool.bad_language": "{name} precisa de uma destas línguas: {known}",
        "tool.flags_missing": "algumas respostas faltam ou foram recusadas:",
        "tool.unknown_shell": "SHELL é um destes: {known}",
        "tool.unknown_flow": "--open precisa de um destes: {known}",
        "tool.unknown_form": "--form precisa de um destes: {known}",
        "tool.jsonl_missing": "o que se lê são JSON Lines, e é preciso --jsonl para o dizer",
        "tool.unknown_state": "--state precisa de um destes: {known}",
        "tool.no_text": "--{flag} precisa de texto em UTF-8",
        "tool.update_nothing": "nenhuma opção diz o que mudar; latchkey accounts update --help mostra as que há",
        "tool.no_terminal": "não há terminal onde perguntar; latchkey --help mostra os comandos para scripts",
        "tool.yes_needed": "não há terminal onde perguntar; --yes diz que tem a certeza",

        // Secrets
        "tool.secret_argument":
            "--{given} não se aceita na linha de comandos, onde qualquer utilizador da máquina o poderia ler; use "
            + "--{flag}-stdin, --{flag}-file CAMINHO ou --{flag}-fd N",
        "tool.secret_environment":
            "{name} está definida, mas o ambiente não é lugar para um segredo; use --{flag}-stdin, --{flag}-file "
            + "CAMINHO ou --{flag}-fd N",
        "tool.hash_argument":
            "--{given} não se aceita na linha de comandos, onde qualquer utilizador da máquina o poderia ler; um hash é "
            + "aceite por accounts create --password-hash-stdin, e por accounts import",
        "tool.hash_environment":
            "{name} está definida, mas o ambiente não é lugar para um hash; um hash é aceite por accounts create "
            + "--password-hash-stdin, e por accounts import",
        "tool.secret_unwanted": "--{flag} e --{other} não podem andar juntos",
        "tool.secret_twice": "--{flag}-stdin, --{flag}-file e --{flag}-fd não podem andar juntos",
        "tool.secret_from_terminal": "{flag} lê de um pipe ou de um ficheiro; omita-o para que se lhe pergunte",
        "tool.secret_missing": "{flag}: não há nada para ler",
        "tool.input_left_over": "a entrada padrão tem mais linhas do que as opções que leem uma",

        // Data
        "tool.validation_failed": "algumas respostas foram recusadas:",
        "tool.forms_refused": "formulários que não se podem usar: {count}:",
        "tool.forms_too_many": "a pasta {path} tem mais de {maximum} descrições de formulários",
        "tool.form_refused": "um formulário não se pode usar: {file}:{line}:{column}: {problem}",
        "tool.configuration_refused": "a configuração não se pode usar: {file}:{line}:{column}: {problem}",
        "tool.setting_path": "\"{key}\" tem de ser um caminho, sem caracteres NUL",
        "tool.setting_unset": "sem valor",
        "tool.setting_default": "predefinição",
        "tool.settings_refused":
            "alguns valores da configuração são recusados; nenhum outro comando funciona enquanto não forem corrigidos:",
        "tool.hash_cost_high":
            "os parâmetros dos novos hashes de palavras-passe são demasiado altos; verificam-se no máximo 262144 "
            + "KiB, 64 passagens e 16 vias, e 1048576 KiB vezes passagens",
        "tool.hash_cost":
            "os parâmetros dos novos hashes de palavras-passe são demasiado fracos; são precisos pelo menos 19456 "
            + "KiB, 2 passagens e 1 via",

        // Many accounts
        "tool.bad_format": "--format precisa de um destes: {known}",
        "tool.format_unknown":
            "o nome {name} não diz como o ficheiro está escrito; --format precisa de um destes: {known}",
        "tool.bad_choice": "{name} precisa de um destes: {known}",
        "tool.import_row": "a linha",
        "tool.imported": "Contas criadas: {created}, alteradas: {updated}, deixadas como estão: {skipped}",
        "tool.import_empty": "{name} não tem linhas",
        "tool.import_dry":
            "Nada foi escrito. Contas a criar: {created}, a alterar: {updated}, deixadas como estão: {skipped}",
        "tool.apply_refused": "contas recusadas: {refused}; nada foi escrito",
        "tool.apply_too_large":
            "{name} tem mais de {maximum} MiB; accounts import aceita ficheiros de qualquer tamanho",
        "tool.apply_so_far": "alterações feitas: {done} de {total}; outra execução acaba o trabalho",
        "tool.apply_interrupted":
            "interrompido; alterações feitas: {done} de {total}; outra execução acaba o trabalho",
        "tool.apply_interrupted_early": "interrompido; nada foi escrito",
        "tool.no_changes": "sem alterações",
        "tool.import_refused": "linhas recusadas: {refused}; nada foi escrito",
        "tool.import_refused_some":
            "linhas recusadas: {refused}; contas criadas: {created}, alteradas: {updated}, deixadas como estão: {skipped}",
        "tool.import_refused_dry":
            "linhas recusadas: {refused}; nada foi escrito. Contas a criar: {created}, a alterar: {updated}, deixadas como "
            + "estão: {skipped}",
        "tool.stopped": "daqui em diante: {failure}",
        "tool.import_so_far":
            "contas criadas: {created}, alteradas: {updated}, deixadas como estão: {skipped}; --on-conflict skip continua "
            + "daqui",
        "tool.import_interrupted":
            "interrompido; contas criadas: {created}, alteradas: {updated}, deixadas como estão: {skipped}; --on-conflict "
            + "skip continua daqui",
        "tool.import_interrupted_early": "interrompido; nada foi escrito",
        "tool.import_overtaken": "entretanto alguém criou contas que impedem linhas: {refused}",
        "tool.import_changed": "{name} foi alterado enquanto era lido",
        "tool.exported": "{count} contas escritas em {path}",
        "tool.export_exposed":
            "os resumos podem ser adivinhados, e só vão para um tubo ou para um ficheiro só deste utilizador, não para o que "
            + "outros leem",
        "tool.export_interrupted": "interrompido; nada foi escrito",
        "tool.export_unproved": "deixadas de fora, por os endereços ainda não estarem provados: {count}",
        "tool.export_unopened": "resumos que não puderam ser abertos, e ficaram de fora: {count}",
        "tool.export_unknown": "deixado de fora, por o formulário de registo não ter tais campos: {keys}",

        "tool.blocklist_line":
            "{name}: a linha {line} não é uma palavra-passe, ou não é como as linhas anteriores; nada foi alterado",

        // Files
        "tool.input_unreadable": "{name} não se consegue ler",
        "tool.input_exposed": "{name} pode ser alterado por outros; impeça-o primeiro (chmod go-w)",
        "tool.input_open": "{name} pode ser lido por outros",
        "tool.input_missing": "{name} não está lá",
        "tool.input_denied": "{name} não pode ser lido por este utilizador",
        "tool.output_exposed": "{path} ficaria onde outros utilizadores o podem alterar",
        "tool.output_full": "o disco não tem espaço para {path}",
        "tool.output_folder":
            "{path} não pode ser criado: a pasta não existe, ou não se pode escrever nela, ou outra coisa tem o seu nome",
        "tool.trace_exposed": "{path}: outros utilizadores poderiam lê-lo ou alterá-lo",
        "tool.trace_foreign": "{path} já existe, e não é um registo de eventos; escolha outro ficheiro",
        "tool.trace_cut": "não foi possível escrever em {path}; o registo de eventos não está completo",
        "tool.output_needed": "{path} é um ficheiro de que se precisa aqui, e não se escreve por cima dele",
        "tool.output_unwritten": "{path} não pôde ser escrito",
        "tool.output_exists": "{path} já existe, e nada é escrito por cima",
        "tool.output_failed": "não foi possível escrever o resultado",
        "tool.no_home": "nem {name} nem HOME estão definidas",

        // The store
        "tool.store_missing": "não há nenhuma base de contas em {path}",
        "tool.store_folder_missing": "a pasta da base de contas {path} não está lá",
        "tool.store_denied": "{path} não pode ser aberto por este utilizador",
        "tool.store_exposed":
            "{path} está aberto a outros utilizadores, pertence a um deles, ou não é um ficheiro simples; tem de ser "
            + "só seu",
        "tool.store_key_missing":
            "a chave {path} desapareceu; sem ela não se pode avaliar nenhuma espera nem nenhum código de "
            + "recuperação. Reponha-a de uma cópia de segurança",
        "tool.sealing_keys_missing":
            "há chaves com que os hashes estão selados que não estão em keys/pepper.d, junto da base de contas: "
            + "{ids}; reponha-as de onde estão guardadas",
        "tool.no_sealing_key": "os hashes não estão selados: latchkey pepper add cria a primeira chave",
        "tool.pepper_unknown": "a base de contas não conhece nenhuma chave {id}",
        "tool.pepper_current": "os novos hashes são selados com {id}: acrescente primeiro outra chave",
        "tool.pepper_in_use": "há {count} hashes selados com {id}: faça primeiro a rotação",
        "tool.pepper_refused": "{count} hashes ficaram como estão: não se conseguiram abrir",
        "tool.pepper_added":
            "Os novos hashes são selados com {id}. Guarde uma cópia de keys/pepper.d longe da base de contas e das "
            + "suas cópias de segurança",
        "tool.pepper_rotated": "{count} hashes selados de novo",
        "tool.pepper_retired":
            "{id} foi retirada. O que uma cópia de segurança tenha selado com ela já não se pode abrir",
        "tool.pepper_unsealed": "por selar: {count}",
        "tool.hash_unsupported": "isto não é um hash que o latchkey conheça",
        "tool.hash_standing_current": "como os novos hashes",
        "tool.hash_standing_scheme": "de outro esquema: é refeito quando o seu dono voltar a iniciar sessão",
        "tool.hash_standing_parameters": "com outros parâmetros: é refeito quando o seu dono voltar a iniciar sessão",
        "tool.hash_standing_stronger": "mais caro do que os novos hashes: fica como está",
        "tool.hash_standing_cost_too_high": "pede mais memória ou tempo do que é permitido, e nunca é verificado",
        "tool.hash_standing_unsupported": "nunca é verificado",
        "tool.calibrated": "{milliseconds} ms cada, {slots} de cada vez",
        "tool.figures": "{count}: {seconds} s, {computed} s de processador",
        "tool.figures_succeeded": "{count}, {succeeded} com sucesso: {seconds} s, {computed} s de processador",
        "tool.configuration_unwritten": "{name} não pôde ser escrito",
        "tool.calibrate_memory": "há memória a menos para um hash que mereça o nome",
        "tool.calibrate_target": "--target-ms precisa de um número de 50 a 1000",
        "tool.store_not_one": "{path} não é uma base de contas do latchkey; não se lhe mexeu",
        "tool.store_corrupt": "a base de contas {path} está danificada; não se lhe mexeu",
        "tool.store_newer": "a base de contas {path} foi feita por uma versão mais nova; não se lhe mexeu",
        "tool.store_busy": "a base de contas {path} está bloqueada por outro processo",
        "tool.store_full": "o disco da base de contas {path} está cheio; nada foi alterado",
        "tool.store_read_only": "não se pode escrever na base de contas {path}",
        "tool.store_network":
            "a base de contas {path} está num sistema de ficheiros em rede, onde não se pode confiar nos seus "
            + "bloqueios",
        "tool.store_failed": "a base de contas {path} não se conseguiu ler ou escrever ({code})",
        "tool.store_no_memory": "o sistema não tem mais memória para a base de contas {path}",
        "tool.store_stray":
            "junto da base de contas {path} está {other}, que é de outra base de dados ou de outro programa; não se "
            + "mexeu em nada. Se algum programa tiver a base de contas aberta, feche-a lá; senão, tire dali esse "
            + "ficheiro",
        "tool.clock_behind":
            "o relógio está {hours} horas atrás do que a base de contas já viu; se estiver certo, latchkey store "
            + "check --accept-clock di-lo",
        "tool.store_setting":
            "este SQLite não aceita uma definição de que a base de contas {path} precisa; nada foi feito",
        "tool.backup_exists": "{path} já existe, e não se escreve por cima",
        "tool.backup_folder": "{path} não se pode criar: a sua pasta não está lá, ou não se pode escrever nela",
        "tool.backup_exposed": "{path} ficaria onde outros utilizadores o podem alterar",
        "tool.backup_full": "o disco não tem espaço para {path}; nada foi criado",
        "tool.backup_failed": "{path} não pôde ser escrito; nada foi criado",
        "tool.backup_damaged": "a cópia de segurança {path} está danificada; nada foi reposto",
        "tool.backup_not_one": "{path} não é uma cópia de segurança de uma base de contas; nada foi reposto",
        "tool.backup_newer": "a cópia de segurança {path} foi feita por uma versão mais nova; nada foi reposto",
        "tool.backup_differs": "{path} não é o ficheiro que {manifest} descreve; nada foi reposto",
        "tool.backup_in_use":
            "{path} é uma base de contas em uso, pois {other} está junto dela; latchkey store backup faz uma cópia "
            + "de segurança dela",
        "tool.restore_exists":
            "em {path} já há uma base de contas, ou um ficheiro que pertence a uma; não se escreveu por cima",
        "tool.session_exposed":
            "{path} está aberto a outros utilizadores, ou não é um ficheiro deste utilizador; impeça-o, ou remova-o",
        "tool.session_failed": "{path} não se consegue ler ou escrever",
        "tool.session_lives": "a sessão foi esquecida aqui, mas vive na base de contas até expirar",

        // The audit trail
        "tool.audit_broken":
            "o registo de auditoria está quebrado na entrada {sequence}: não está como foi escrita, ou não está lá",
        "tool.audit_anchor_differs": "a entrada {sequence} do registo de auditoria não é aquela cujo hash foi guardado",
        "tool.audit_anchor_after_end":
            "o registo de auditoria acaba antes da entrada {sequence}, cujo hash foi guardado: faltam entradas",
        "tool.audit_anchor_before_start":
            "a entrada {sequence}, cujo hash foi guardado, é anterior às que foram verificadas; nada se pode dizer "
            + "dela",
        "tool.audit_anchor_unknown": "nenhuma das entradas verificadas tem o hash que foi guardado",
        "tool.audit_empty": "o registo de auditoria não tem entradas",
        "tool.bad_anchor":
            "{name} não tem nenhuma linha de latchkey audit head, nem é um hash de 64 algarismos hexadecimais",
        "tool.bad_time": "{name} precisa de uma hora como 2026-01-02T03:04:05Z, ou de um dia como 2026-01-02",
        "tool.unknown_event": "evento \"{event}\" desconhecido; a lista está em docs/audit-events.md",
        "tool.unknown_event_suggestion": "evento \"{event}\" desconhecido; seria \"{nearest}\"?",
        "tool.audit_mine_alone": "--mine e --account não podem andar juntos",

        // The system
        "tool.no_memory": "o sistema não tem mais memória",
        "tool.no_descriptors": "podem estar abertos poucos ficheiros ao mesmo tempo: ver ulimit -n",
        "tool.no_threads":
            "o sistema não dá mais threads, por um limite de processos ou de memória; nada foi feito",
        "tool.unsafe_start": "o latchkey não pode correr com setuid",
        "tool.internal": "algo correu mal dentro do latchkey; nada foi alterado",

        // Results
        "tool.logged_out": "Sessão terminada",
        "tool.was_logged_out": "Não havia sessão iniciada",
        "tool.cancelled": "cancelado",
        "tool.no_such_account": "essa conta não existe",
        "tool.no_use_disabled": "a conta está desativada; accounts enable ativa-a primeiro",
        "tool.no_such_form": "esse formulário não existe",
        "tool.blocklist_imported": "Palavras-passe que agora ninguém pode definir: {count}",
        "tool.session": "{id}  último uso {used}  criada {created}  {source}",
        "tool.session_own": "{id}  (esta)  último uso {used}  criada {created}  {source}",
        "tool.this_machine": "esta máquina",
        "tool.account_unlocked_in_vain":
            "A conta {username} pode ser tentada já, mas nenhuma palavra-passe a abre depois de tantas falhas: ver "
            + "accounts recover",
        "tool.bad_policy": "{name} precisa de um destes: {known}",
        "tool.batch_alone": "--{flag} e --batch não podem ir juntos",
        "tool.batch_missing": "falta --batch FILE: o que há para ler",
        "tool.no_runtime_folder":
            "sob esta política nenhuma sessão é guardada num disco, e XDG_RUNTIME_DIR, onde ficaria, não está definida",
        "tool.setting_policy": "\"policy\" tem de ser um destes: {known}",
        "tool.standard_input": "a entrada padrão",
        "tool.sessions_ended": "Sessões terminadas: {count}",
        "tool.token_refused": "o testemunho não abre sessão nenhuma: nunca abriu, ou a sessão terminou",
        "tool.no_such_session": "essa sessão não existe; latchkey sessions list mostra as que há",
        "tool.sessions_choice": "é preciso um de ID, --others e --all",
        "tool.others_of_account": "--others é para as sessões próprias; use --all com --account",
        "tool.nothing_to_change":
            "não há terminal onde perguntar, e nenhuma opção diz o que mudar; latchkey profile --help mostra as que "
            + "há",
        "tool.password_later":
            "--{flag} não se aceita aqui: a palavra-passe escolhe-se com o código que é enviado para o endereço",
        "tool.password_set": "A palavra-passe de {username} está definida, e o dono é avisado",
        "tool.code_sent": "Foi enviado um código para {email}",
        "tool.message_sent": "Foi entregue uma mensagem para {email}",
        "tool.bad_address": "ADDRESS tem de ser um endereço de e-mail, como ada@example.org",
        "tool.mailer_failed": "a mensagem não pôde ser entregue ({code})",
        "tool.mailer_missing": "a definição \"mailer\" indica {program}, que não está lá ou não se pode executar",
        "tool.mailer_exited": "o programa de correio acabou com o estado {status}",
        "tool.mailer_killed": "o programa de correio foi terminado pelo sinal {signal}",
        "tool.mailer_slow": "o programa de correio levou mais de 30 s, e foi terminado",
        "tool.setting_mailer":
            "\"mailer\" tem de ser uma lista com o nome ou o caminho absoluto de um programa e os seus argumentos, "
            + "sem caracteres NUL",
        "tool.setting_text": "\"{key}\" pode ter no máximo 255 bytes de texto, sem caracteres de controlo",
        "tool.bad_text": "{name} pode ter no máximo 255 bytes de texto, sem caracteres de controlo",
        "tool.setting_sentence": "\"{key}\" pode ter no máximo {maximum} bytes de texto, sem caracteres de controlo",
        "tool.setting_sentence_unknown":
            "não há nenhuma frase \"{key}\"; as que há estão em Sources/LatchkeyForms/Messages",
        "tool.setting_sentence_braces":
            "as chavetas de \"{key}\" não rodeiam nenhum dos seus valores; conhecem-se: {allowed}",
        "set_password.title": "Definir uma palavra-passe",
        "set_password.submit": "Definir a palavra-passe",
        "tool.password_generated":
            "A palavra-passe tem {bits} bits aleatórios, abre a conta durante um dia e tem de ser mudada quando se "
            + "iniciar sessão pela primeira vez",
        "tool.account_unlocked": "Já se pode iniciar sessão na conta {username}",
        "tool.account_disabled": "Conta {username} desativada",
        "tool.account_enabled": "Conta {username} ativada",
        "tool.change_required": "A conta {username} tem de mudar a palavra-passe quando voltar a iniciar sessão",
        "tool.account_updated": "Conta {username} alterada: {fields}",
        "tool.account_unchanged": "A conta {username} já estava assim; nada foi alterado",
        "tool.account_deleted": "Conta {username} eliminada",
        "tool.audit_intact": "O registo de auditoria está intacto: entradas {first} a {last}",
        "tool.audit_intact_from":
            "O registo de auditoria está completo da entrada {first} à {last}; as mais antigas foram retiradas",
        "tool.audit_nothing": "O registo de auditoria não tem entradas a partir da {first}",
        "tool.maintained":
            "{sessions_ended} sessões terminadas, {records_dropped} entradas de auditoria retiradas, "
            + "{messages_waiting} mensagens à espera",

        "tool.store_backed_up": "{path}: esquema {schema}, {records} entradas de auditoria, SHA-256 {digest}",
        "tool.store_restored": "{path} foi reposta; não há sessões iniciadas, e nenhum código é válido",
        "tool.key_made":
            "não havia nenhuma chave {path}; foi criada uma nova, e com a antiga acabaram todas as esperas",
        "tool.store_migrated": "{path} passou do esquema {from} para o {to}; como era, está em {copy}",
        "tool.store_current": "{path} tem o esquema {to}, o mais novo",
        "tool.clock_accepted": "O relógio é tido por certo",
        "tool.form_links": "ligações: {links}",

        // An account, a line for each thing that is known
        "account.id": "id",
        "account.username": "nome de utilizador",
        "account.email": "e-mail",
        "account.state": "estado",
        "account.created": "criada",
        "account.password": "palavra-passe",
        "account.generated": "gerada; abre a conta até {time}",
        "account.recovery": "recuperação",
        "account.recovery_needed": "necessária; nenhuma palavra-passe abre a conta depois de tantas falhas",
        "account.must_change": "tem de ser mudada quando se voltar a iniciar sessão",
        "account.failed_logins": "tentativas falhadas",
        "account.failed_since": "{count} desde a última sessão, a mais recente em {time}",
        "account.locked": "bloqueada",
        "account.locked_for": "por {seconds} s; accounts unlock acaba com isso",

        // What a check finds
        "tool.store_unsound": "algo está mal com a base de contas {path}:",
        "check.ok": "{check}: ok",
        "check.warning": "{check}: aviso: {problem}",
        "check.exposed": "{path} está aberto a outros utilizadores, ou não é um ficheiro simples; tem de ser só seu",
        "check.stray":
            "{path} é de outra base de dados ou de outro programa; a base de contas não é usada enquanto ele lá "
            + "estiver",
        "check.damaged":
            "{problem}. Reponha uma cópia de segurança (latchkey store restore) noutro lugar; o que mais se possa "
            + "salvar, o .recover do sqlite3 escreve num ficheiro novo",
        "check.cut_short": "o ficheiro está danificado, ou cortado",
        "check.not_a_store":
            "o ficheiro não é uma base de contas do latchkey. Reponha uma cópia de segurança (latchkey store "
            + "restore) noutro lugar",
        "check.failed": "o ficheiro não se conseguiu ler ({code})",
        "check.unfinished":
            "uma alteração foi interrompida, e a próxima desfá-la; execute outro comando, como accounts list, e "
            + "verifique de novo",
        "check.schema_older":
            "o esquema {schema} é mais antigo que o {newest}; o próximo uso, ou latchkey store migrate, muda-o",
        "check.audit_broken": "o registo de auditoria foi alterado na entrada {sequence}",
        "check.key_missing": "a chave {path} desapareceu, ou não é uma chave; reponha-a de uma cópia de segurança",
        "check.list_unusable":
            "{path} está danificado ou não se consegue ler, ou outros podem alterá-lo; nenhuma palavra-passe se pode definir "
            + "até que seja corrigido ou removido",
        "check.pepper_missing":
            "a chave {id}, com que os hashes das palavras-passe estão selados, desapareceu, ou não é uma chave; "
            + "reponha-a de uma cópia",
        "check.hash_unusable":
            "{count} contas têm um hash de palavra-passe de um esquema desconhecido, ou mais caro do que se verifica",
        "check.clock_behind": "o relógio está {minutes} minutos atrás do que a base de contas já viu",
        "check.space_low": "restam {mebibytes} MiB no disco",
        "check.reserve_missing":
            "não há espaço reservado para terminar sessões num disco cheio; o próximo uso reserva-o",
        "check.library_old":
            "o SQLite {version} pode danificar bases de dados que usem o seu diário (WAL), antes da versão 3.51.3; "
            + "as bases de contas do latchkey não o usam",

        // Recordings
        "tool.record_without_terminal": "--record guarda o que acontece num terminal; aqui nada é perguntado num",
        "tool.recording_cut": "{path} não pôde ser escrito até ao fim; o que lá está pode ser repetido até aí",
        "tool.recording_bad": "{name}, linha {line}: {reason}",
        "tool.replay_same": "{name} repete-se como foi gravado: {lines} linhas, {frames} imagens, {events} eventos",
        "tool.replay_differs": "{name}, linha {line}: não se repete como o latchkey {version} o gravou",
        "tool.replay_narrow": "foi gravado em {columns} colunas, e este terminal tem menos",
        "tool.bad_speed": "--speed precisa de um número, 0 ou mais, como 2 ou 0.5",
        "tool.speed_and_step": "--speed e --step são duas maneiras de ver; dê só uma",
        "recording.none": "isto não é uma gravação do latchkey",
        "recording.newer": "é uma gravação do formato {version}, feita por um latchkey mais novo",
        "recording.json": "isto não é JSON",
        "recording.cut": "a linha está cortada",
        "recording.unknown": "uma gravação não tem uma linha assim",
        "recording.backwards": "isto aconteceu antes da linha acima",
        "recording.after_end": "a sessão já acabou acima",
        "recording.too_long": "é mais comprido do que qualquer gravação",

        // Menus
        "menu.change_password": "Mudar a palavra-passe",
        "menu.profile": "Ver a conta, e alterá-la",
        "menu.sessions": "Ver onde a conta tem sessão iniciada",
        "menu.end_others": "Terminar todas as outras",
        "menu.sessions_title": "Escolha uma sessão para a terminar",
        "menu.log_out": "Terminar sessão",
        "menu.leave": "Sair",
        "menu.delete": "Eliminar {username}, e tudo o que se guarda da conta?",
        "menu.delete_name": "O nome de utilizador, para ter a certeza",
        "menu.update": "Alterar a conta de {username}",
        "menu.prune": "Contas que {name} não indica: {count}. Eliminá-las, e tudo o que se guarda delas?",
        "menu.prune_keep": "Não mudar nada",
        "menu.prune_remove": "Eliminá-las",
        "menu.delete_account": "Eliminá-la",
    ]
}
