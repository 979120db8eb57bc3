import LatchkeyForms

extension ModuleSentences {
    static let portugueseCommandLine: [String: String] = [
        // Progress
        "progress.checking": "A verificar",
        "progress.importing": "A importar",
        "progress.exporting": "A exportar",
        "progress.migrating": "A migrar",
        "progress.copying": "A copiar",
        "progress.applying": "A aplicar",

        // Listas
        "list.name": "NOME",
        "list.email": "E-MAIL",
        "list.state": "ESTADO",
        "list.created": "CRIADA",
        "list.id": "ID",
        "list.used": "ÚLTIMO USO",
        "list.source": "ORIGEM",
        "list.number": "NÚMERO",
        "list.time": "QUANDO",
        "list.event": "EVENTO",
        "list.account": "CONTA",
        "list.actor": "AUTOR",
        "list.reason": "MOTIVO",
        "list.this_one": "(esta)",
        "list.accounts": "{count} contas",
        "list.accounts.one": "1 conta",
        "list.accounts_more": "{count} contas, e há mais: acrescente --after {name}",
        "list.accounts_more.one": "1 conta, e há mais: acrescente --after {name}",
        "list.accounts_none": "Não há contas",
        "list.accounts_no_match": "Nenhuma conta corresponde",
        "list.sessions": "{count} sessões",
        "list.sessions.one": "1 sessão",
        "list.sessions_none": "Não há sessões ativas",
        "list.records": "{count} registos",
        "list.records.one": "1 registo",
        "list.records_none": "Não há registos",
        "list.records_no_match": "Nenhum registo corresponde",

        // Usage
        "tool.unknown_command": "Comando \"{command}\" desconhecido. latchkey --help mostra todos",
        "tool.unknown_command_suggestion": "Comando \"{command}\" desconhecido. Queria dizer: {nearest}",
        "tool.command_missing": "\"{group}\" precisa de um destes: {known}",
        "tool.unknown_flag": "Opção {flag} desconhecida",
        "tool.unknown_flag_suggestion": "Opção {flag} desconhecida. Queria dizer {nearest}?",
        "tool.flag_twice": "--{flag} foi dada duas vezes",
        "tool.flag_takes_none": "--{flag} não leva valor",
        "tool.flag_needs_value": "--{flag} precisa de um valor. Se começar por um hífen, escreva --{flag}=VALOR",
        "tool.no_arguments": "Não é possível ler os argumentos, porque /proc não está montado",
        "tool.operand_missing": "Falta {name}",
        "tool.operand_first": "Falta {name}. Escreva-o antes das opções dos seus campos",
        "tool.program_behind_dashes": "Escreva o programa e os seus argumentos depois de --",
        "tool.checkpassword_input":
            "O descritor 3 tem de dar um nome, uma palavra-passe e uma data, cada um seguido de NUL, em no máximo "
            + "{maximum} bytes",
        "tool.program_not_found": "{name}: esse programa não existe",
        "tool.cannot_execute": "{name}: não pode ser executado",
        "tool.operand_too_many": "Há argumentos a mais depois de \"{command}\"",
        "tool.argument_too_long": "Um argumento tem mais de {maximum} bytes",
        "tool.bad_path": "{name} precisa de um caminho",
        "tool.bad_source": "--source precisa de um endereço IPv4 ou IPv6",
        "tool.bad_listen":
            "{name} precisa de um endereço e uma porta como 127.0.0.1:8421, ou unix: e um caminho absoluto",
        "tool.bad_group": "O sistema não tem nenhum grupo {name}",
        "tool.bad_store":
            "{name} tem de ser um caminho, ou um endereço postgresql:// sem palavra-passe, que pertence a um ficheiro próprio",
        "tool.bad_origin": "{name} precisa de uma origem como https://accounts.example.org",
        "tool.bad_cookie_domain": "--cookie-domain precisa do domínio de uma --origin https, como example.org",
        "tool.bad_network": "{name} precisa de um endereço ou de uma rede como 10.0.0.0/8, ou unix",
        "tool.origin_needed":
            "--listen abre o serviço a outras máquinas: acrescente --origin, onde as pessoas o encontram",
        "tool.proxy_needed":
            "Uma origem https precisa de --trusted-proxy: o proxy que fala TLS, ou todos os clientes partilhariam um"
            + " limite de tentativas",
        "tool.theme_empty": "{path} não tem nenhum tema. Precisa de um destes: {known}",
        "tool.bad_theme":
            "{name} tem de ser o que o nome diz (texto UTF-8, SVG ou PNG), com {maximum} KiB no máximo",
        "tool.listen_failed": "Não é possível escutar em {name}: o endereço está em uso ou não é permitido",
        "tool.already_serving": "Outro latchkey serve usa a base de contas {path}",
        "tool.service_missing": "O programa latchkey-service não está instalado ao lado de latchkey",
        "tool.database_unusable": "{path} está em PostgreSQL, que este programa não usa. Precisa de uma base SQLite",
        "tool.database_has_backups": "Use pg_dump e pg_restore para {path}, e guarde uma cópia de {folder}",
        "tool.serving": "A servir {url}",
        "tool.serving_stops": "A parar…",
        "tool.bad_number": "{name} precisa de um número inteiro",
        "tool.number_out_of_range": "{name} precisa de um número inteiro de {minimum} a {maximum}",
        "tool.number_too_small": "{name} precisa de um número inteiro, no mínimo {minimum}",
        "tool.bad_policy": "{name} precisa de um destes: {known}",
        "tool.bad_language": "{name} precisa de uma destas línguas: {known}",
        "tool.flags_missing": "Alguns campos faltam ou não são válidos:",
        "tool.unknown_shell": "SHELL tem de ser um destes: {known}",
        "tool.unknown_flow": "--open precisa de um destes: {known}",
        "tool.unknown_form": "--form precisa de um destes: {known}",
        "tool.jsonl_missing": "Este comando lê JSON Lines. Acrescente --jsonl",
        "tool.batch_missing": "Falta --batch FILE",
        "tool.batch_alone": "--{flag} não se pode combinar com --batch",
        "tool.unknown_state": "--state precisa de um destes: {known}",
        "tool.no_text": "--{flag} precisa de texto em UTF-8",
        "tool.update_nothing": "Nada para mudar. latchkey accounts update --help mostra as opções",
        "tool.no_terminal": "Não há terminal onde perguntar. latchkey --help mostra os comandos para scripts",
        "tool.yes_needed": "Não há terminal onde perguntar. Acrescente --yes para confirmar",

        // Secrets
        "tool.secret_argument":
            "--{given} não é aceite, porque qualquer utilizador desta máquina pode ler a linha de comandos. Use "
            + "--{flag}-stdin, --{flag}-file CAMINHO ou --{flag}-fd N",
        "tool.secret_environment":
            "{name} está definida, mas não se leem segredos do ambiente. Use --{flag}-stdin, --{flag}-file CAMINHO ou "
            + "--{flag}-fd N",
        "tool.hash_argument":
            "--{given} não é aceite, porque qualquer utilizador desta máquina pode ler a linha de comandos. Use accounts "
            + "create --password-hash-stdin ou accounts import",
        "tool.hash_environment":
            "{name} está definida, mas não se leem hashes do ambiente. Use accounts create --password-hash-stdin ou "
            + "accounts import",
        "tool.secret_unwanted": "--{flag} não se pode combinar com --{other}",
        "tool.preview_refused": "A descrição tem um erro. O formulário é o último sem erros",
        "tool.preview_valid": "Todas as respostas são válidas. Esc termina",
        "tool.bad_duration": "{name} tem de ser um número inteiro de s, m, h, d ou w, como 90d",
        "tool.flag_missing": "{name} é obrigatório",
        "tool.no_factor": "A conta não tem aplicação de autenticação",
        "tool.no_such_token": "Não há nenhum token com esse id",
        "tool.too_many_tokens": "Já há {maximum} tokens: revogue alguns primeiro",
        "tool.token_revoked": "Token {name} revogado",
        "tool.bad_name": "{name} tem de ter 1 a {maximum} caracteres, todos visíveis",
        "tool.app_password_shown":
            "Introduza-a num só programa, em vez da sua palavra-passe. Não pode ser mostrada outra vez",
        "tool.app_password_revoked": "Palavra-passe de aplicação {name} revogada",
        "tool.no_such_app_password": "Não há nenhuma palavra-passe de aplicação com esse id",
        "tool.too_many_app_passwords": "A conta já tem {maximum} palavras-passe de aplicação: revogue algumas primeiro",
        "list.app_passwords": "{count} palavras-passe de aplicação",
        "list.app_passwords.one": "1 palavra-passe de aplicação",
        "list.app_passwords_none": "Nenhuma palavra-passe de aplicação",
        "list.scopes": "PERMISSÕES",
        "list.expires": "EXPIRA",
        "list.never": "nunca",
        "list.tokens": "{count} tokens de programas",
        "list.tokens.one": "1 token de programa",
        "list.tokens_none": "Nenhum token",
        "tool.server_unwanted": "{name} é para os comandos do dono de uma conta; este trabalha num armazém",
        "tool.server_and_store": "{server} e {store} excluem-se: um indica um serviço, o outro um armazém",
        "tool.bad_server": "--server não é válido: {problem}",
        "tool.server_failed": "Sem resposta do serviço: {problem}",
        "tool.flags_exclude": "--{flag} e --{other} não se podem combinar",
        "tool.secret_twice": "--{flag}-stdin, --{flag}-file e --{flag}-fd não se podem combinar",
        "tool.secret_from_terminal": "{flag} lê de um pipe ou de um ficheiro. Omita-o para que se lhe pergunte",
        "tool.secret_missing": "{flag}: não há nada para ler",
        "tool.input_left_over": "A entrada padrão tem mais linhas do que as opções que leem uma",

        // Data
        "tool.validation_failed": "Alguns campos não são válidos:",
        "tool.forms_refused": "Formulários que não se podem usar: {count}",
        "tool.forms_too_many": "A pasta {path} tem mais de {maximum} descrições de formulários",
        "tool.form_refused": "Não se pode usar um formulário: {file}:{line}:{column}: {problem}",
        "tool.configuration_refused": "Não se pode usar a configuração: {file}:{line}:{column}: {problem}",
        "tool.hash_engine": "Este processador não tem o motor de hash {name}. Disponíveis: {known}",
        "tool.hash_engine_failed":
            "O motor de hash {name} falhou o seu teste nesta máquina. A libargon2 calcula os hashes em vez dele",
        "tool.setting_choice": "\"{key}\" tem de ser um destes: {known}",
        "tool.setting_policy": "\"policy\" tem de ser um destes: {known}",
        "tool.setting_unknown": "chave \"{key}\" desconhecida. Queria dizer \"{nearest}\"?",
        "tool.setting_origin": "\"{key}\" tem de ser uma origem como https://accounts.example.org",
        "tool.setting_store":
            "\"{key}\" tem de ser um caminho, ou um endereço postgresql:// sem palavra-passe, que pertence a um ficheiro próprio",
        "tool.setting_path": "\"{key}\" tem de ser um caminho sem caracteres NUL",
        "tool.setting_unset": "sem valor",
        "tool.setting_default": "predefinição",
        "tool.settings_valid": "Todas as definições são válidas",
        "tool.settings_refused":
            "Algumas definições não são válidas. Os outros comandos falham até que as corrija:",
        "tool.hash_cost_maximum":
            "Os parâmetros do hash são demasiado altos. Verificam-se no máximo {memory} KiB, {iterations} passagens e "
            + "{parallelism} vias, e KiB × passagens não pode exceder {work}",
        "tool.hash_cost_minimum":
            "Os parâmetros do hash são demasiado baixos. Use pelo menos uma via e um destes pares (KiB × passagens): "
            + "{minimums}",

        // Many accounts
        "tool.bad_format": "--format precisa de um destes: {known}",
        "tool.format_unknown":
            "O nome {name} não indica o formato. Acrescente --format com um destes: {known}",
        "tool.bad_choice": "{name} precisa de um destes: {known}",
        "tool.bad_mapping": "--map precisa de COLUMN=FIELD ou COLUMN=, cada coluna uma vez. Campos: {known}",
        "tool.map_only_csv": "--map só funciona com um ficheiro CSV",
        "tool.import_row": "a linha",
        "tool.imported": "{created} criadas, {updated} alteradas, {skipped} deixadas como estavam",
        "tool.import_hidden": "Mais {count} problemas. --report FILE indica-os todos",
        "tool.import_hidden.one": "Mais 1 problema. --report FILE indica-os todos",
        "tool.import_hidden_there": "Mais {count} problemas. {path} indica-os todos",
        "tool.import_hidden_there.one": "Mais 1 problema. {path} indica-os todos",
        "tool.import_existing":
            "{count} linhas já têm conta. --on-conflict skip deixa essas contas como estão, update altera-as",
        "tool.import_existing.one":
            "1 linha já tem conta. --on-conflict skip deixa essa conta como está, update altera-a",
        "tool.import_without_password":
            "{count} contas novas não têm palavra-passe: os seus donos têm de as recuperar primeiro",
        "tool.import_without_password.one":
            "1 conta nova não tem palavra-passe: o seu dono tem de a recuperar primeiro",
        "tool.import_empty": "{name} não tem linhas",
        "tool.import_dry":
            "Ensaio, nada foi escrito: seriam {created} criadas, {updated} alteradas, {skipped} deixadas como estavam",
        "tool.apply_refused": "Nada foi escrito. Contas a corrigir: {refused}",
        "tool.apply_too_large": "{name} tem mais de {maximum} MiB. Use accounts import, que não tem limite",
        "tool.apply_so_far": "{done} de {total} alterações escritas. Execute o comando outra vez para acabar",
        "tool.apply_interrupted":
            "Interrompido: {done} de {total} alterações escritas. Execute o comando outra vez para acabar",
        "tool.apply_interrupted_early": "Interrompido. Nada foi escrito",
        "tool.no_changes": "Sem alterações",
        "tool.import_refused": "Nada foi escrito. Linhas a corrigir: {refused}",
        "tool.import_refused_some":
            "Linhas a corrigir: {refused}. {created} criadas, {updated} alteradas, {skipped} deixadas como estavam",
        "tool.import_refused_dry":
            "Linhas a corrigir: {refused}. Ensaio, nada foi escrito: seriam {created} criadas, {updated} alteradas, "
            + "{skipped} deixadas como estavam",
        "tool.stopped": "O resto falhou: {failure}",
        "tool.import_so_far":
            "{created} criadas, {updated} alteradas, {skipped} deixadas como estavam. Continue com --on-conflict {choice}",
        "tool.import_interrupted":
            "Interrompido: {created} criadas, {updated} alteradas, {skipped} deixadas como estavam. Continue com --on-conflict {choice}",
        "tool.import_interrupted_early": "Interrompido. Nada foi escrito",
        "tool.import_overtaken":
            "Entretanto, outro processo criou contas em conflito. Linhas afetadas: {refused}",
        "tool.import_changed": "{name} mudou enquanto era lido",
        "tool.exported": "{count} contas exportadas para {path}",
        "tool.exported.one": "1 conta exportada para {path}",
        "tool.export_exposed":
            "Os hashes são secretos: exporte para um pipe ou para um ficheiro a que só você tenha acesso",
        "tool.export_interrupted": "Interrompido. Nada foi escrito",
        "tool.copy_interrupted": "Interrompido. O mesmo comando continua a cópia",
        "tool.migration_interrupted": "Interrompido. A base de contas não mudou",
        "tool.export_unproved": "Contas deixadas de fora por o endereço ainda não estar verificado: {count}",
        "tool.export_unopened": "Hashes e segredos deixados de fora por não se poderem decifrar: {count}",
        "tool.export_unknown":
            "O formulário de registo não tem estes campos: {keys}. Para importar o ficheiro, use --forms com um que os tenha",
        "tool.export_omitted": "Deixados de fora, por outras colunas terem estes nomes: {keys}",
        "tool.blocklist_line":
            "{name}, linha {line}: não é uma palavra-passe, ou não está no formato das linhas anteriores. Nada foi alterado",

        // Files
        "tool.input_unreadable": "{name} não se consegue ler",
        "tool.input_exposed": "{name} pode ser alterado por outros utilizadores. Execute primeiro chmod go-w",
        "tool.input_open": "{name} pode ser lido por outros utilizadores",
        "tool.input_missing": "{name} não existe",
        "tool.input_denied": "Não tem permissão para ler {name}",
        "tool.output_exposed": "{path} ficaria numa pasta que outros utilizadores podem alterar",
        "tool.output_full": "O disco não tem espaço para {path}",
        "tool.output_folder":
            "Não se pode criar {path}: a pasta não existe ou não se pode escrever nela, ou o nome está ocupado",
        "tool.trace_exposed": "{path} poderia ser lido ou alterado por outros utilizadores",
        "tool.trace_foreign": "{path} existe e não é um registo de eventos. Escolha outro ficheiro",
        "tool.trace_cut": "Não foi possível escrever em {path}. O registo de eventos está incompleto",
        "tool.output_needed": "{path} está a ser usado pelo Latchkey e não foi substituído",
        "tool.output_unwritten": "Não foi possível escrever em {path}",
        "tool.output_exists": "{path} já existe e não foi substituído",
        "tool.output_failed": "Não foi possível escrever o resultado",
        "tool.no_home": "Nem {name} nem HOME estão definidas",
        "tool.no_runtime_folder":
            "XDG_RUNTIME_DIR não está definida. Esta política guarda lá as sessões, porque não as permite em disco",

        // The store
        "tool.store_missing": "Não há nenhuma base de contas em {path}",
        "tool.store_folder_missing": "A pasta da base de contas {path} não existe",
        "tool.store_denied": "Não tem permissão para abrir {path}",
        "tool.other_owner":
            "{path} pertence a {owner}, e root não usa ficheiros de outros utilizadores. Execute: {command} latchkey …",
        "tool.store_super_journal":
            "{path} refere outro ficheiro, o que o diário de um ficheiro de contas nunca faz. Descubra quem o pôs lá e apague-o",
        "tool.store_older":
            "{path} foi criado por uma versão anterior do Latchkey. Execute latchkey store migrate, que guarda uma cópia",
        "tool.store_folder_open":
            "Outros utilizadores podem escrever em {path}. Guarde as contas numa pasta sua em que só você possa escrever",
        "tool.store_exposed": "{path} tem de ser um ficheiro normal a que só você tenha acesso: chmod 600 {path}",
        "tool.store_key_missing":
            "Falta a chave {path}. Reponha-a de uma cópia de segurança: as esperas e os códigos de recuperação dependem "
            + "dela",
        "tool.store_key_foreign":
            "A chave {path} pertence a outra base de contas que {store}. Copie a certa de uma máquina que a usa",
        "tool.store_unreachable": "Não foi possível chegar a {path}: {reason}",
        "tool.store_incomplete": "A cópia para {path} foi interrompida. Repita latchkey store copy",
        "tool.store_encoding": "A base de dados {path} tem de ter a codificação UTF8",
        "tool.store_refused":
            "O PostgreSQL recusou uma instrução em {path} (SQLSTATE {state}). O seu registo tem a razão",
        "tool.store_outcome_unknown":
            "A ligação a {path} perdeu-se durante uma alteração, que pode ter sido feita: verifique antes de a repetir",
        "tool.sealing_keys_missing":
            "Faltam em keys/pepper.d chaves com que os hashes estão selados: {ids}. Reponha-as da sua cópia",
        "tool.no_sealing_key": "Os hashes não estão selados. latchkey pepper add cria a primeira chave",
        "tool.pepper_unknown": "A base de contas não tem a chave {id}",
        "tool.pepper_current": "Os novos hashes são selados com {id}. Acrescente primeiro outra chave",
        "tool.pepper_in_use": "Há {count} hashes selados com {id}. Execute primeiro latchkey pepper rotate",
        "tool.pepper_in_use.one": "Há 1 hash selado com {id}. Execute primeiro latchkey pepper rotate",
        "tool.pepper_refused":
            "{count} hashes não se conseguiram decifrar ou não deviam estar por selar, e ficaram como estão",
        "tool.pepper_refused.one": "1 hash não se conseguiu decifrar ou não devia estar por selar, e ficou como está",
        "tool.pepper_added":
            "Os novos hashes são selados com {id}. Guarde uma cópia de keys/pepper.d longe da base de contas e das "
            + "suas cópias de segurança",
        "tool.pepper_rotated": "{count} hashes selados de novo",
        "tool.pepper_rotated.one": "1 hash selado de novo",
        "tool.pepper_retired":
            "{id} foi eliminada. As cópias de segurança com hashes selados com ela já não os podem verificar",
        "tool.pepper_unsealed": "por selar: {count}",
        "tool.hash_unsupported": "Não é um hash que o Latchkey suporte",
        "tool.hash_standing_current": "Atualizado",
        "tool.hash_standing_scheme": "Outro esquema: será refeito quando o dono voltar a iniciar sessão",
        "tool.hash_standing_parameters": "Outros parâmetros: será refeito quando o dono voltar a iniciar sessão",
        "tool.hash_standing_stronger": "Mais forte do que os novos hashes: será mantido",
        "tool.hash_standing_cost_too_high": "Nunca verificado: precisa de mais memória ou tempo do que é permitido",
        "tool.hash_standing_unsupported": "Nunca verificado: não suportado",
        "tool.calibrated": "{milliseconds} ms por hash, {slots} de cada vez",
        "tool.figures": "{count}: {seconds} s, {computed} s de processador",
        "tool.figures_succeeded": "{count}, {succeeded} com sucesso: {seconds} s, {computed} s de processador",
        "tool.configuration_unwritten": "Não foi possível escrever em {name}",
        "tool.calibrate_memory": "Não há memória suficiente para um hash forte",
        "tool.calibrate_range": "--target-ms precisa de um número de {minimum} a {maximum}",
        "tool.store_not_one": "{path} não é uma base de contas do Latchkey e não foi alterado",
        "tool.store_corrupt": "A base de contas {path} está danificada e não foi alterada",
        "tool.store_newer": "A base de contas {path} precisa de uma versão mais nova do Latchkey e não foi alterada",
        "tool.store_busy": "A base de contas {path} está bloqueada por outro processo. Tente de novo",
        "tool.store_full": "O disco da base de contas {path} está cheio. Nada foi alterado",
        "tool.store_read_only": "A base de contas {path} é só de leitura",
        "tool.store_network":
            "A base de contas {path} está num sistema de ficheiros em rede, cujos bloqueios não são de confiança. Mude-a "
            + "para um disco",
        "tool.store_failed": "Não foi possível ler ou escrever a base de contas {path} ({code})",
        "tool.store_no_memory": "O sistema não tem memória suficiente para a base de contas {path}",
        "tool.store_stray":
            "{other}, junto da base de contas {path}, pertence a outra base de dados ou a outro programa. Nada foi "
            + "alterado. Se algum programa tiver a base de contas aberta, feche-a; senão, tire dali esse ficheiro",
        "tool.clock_behind":
            "O relógio está {hours} horas atrasado em relação à base de contas. Se estiver certo, execute latchkey store "
            + "check --accept-clock",
        "tool.store_setting":
            "Esta versão do SQLite não tem uma definição de que a base de contas {path} precisa. Nada foi alterado",
        "tool.backup_exists": "{path} já existe e não foi substituído",
        "tool.backup_folder": "Não se pode criar {path}: a pasta não existe ou não se pode escrever nela",
        "tool.backup_exposed": "{path} ficaria numa pasta que outros utilizadores podem alterar",
        "tool.backup_full": "O disco não tem espaço para {path}. Não foi feita nenhuma cópia de segurança",
        "tool.backup_failed": "Não foi possível escrever em {path}. Não foi feita nenhuma cópia de segurança",
        "tool.backup_damaged": "A cópia de segurança {path} está danificada. Nada foi reposto",
        "tool.backup_not_one": "{path} não é uma cópia de segurança de uma base de contas. Nada foi reposto",
        "tool.backup_newer":
            "A cópia de segurança {path} precisa de uma versão mais nova do Latchkey. Nada foi reposto",
        "tool.backup_differs": "{path} não corresponde ao seu manifesto {manifest}. Nada foi reposto",
        "tool.backup_in_use":
            "{path} é uma base de contas em uso, porque {other} está junto dela. Copie-a com latchkey store backup",
        "tool.restore_exists":
            "{path} já tem uma base de contas, ou um ficheiro que pertence a uma. Nada foi substituído",
        "tool.session_exposed":
            "{path} tem de ser um ficheiro a que só você tenha acesso. Corrija as permissões ou elimine-o",
        "tool.session_failed": "{path} não se consegue ler ou escrever",
        "tool.session_lives": "Terminou a sessão aqui, mas ela fica na base de contas até expirar",

        // The audit trail
        "tool.audit_ends_earlier": "O registo de auditoria termina antes, na entrada {sequence}",
        "tool.audit_broken":
            "O registo de auditoria está quebrado na entrada {sequence}: foi alterada ou removida",
        "tool.audit_anchor_differs":
            "A entrada {sequence} do registo de auditoria não corresponde ao hash guardado",
        "tool.audit_anchor_after_end":
            "Faltam entradas: o registo de auditoria acaba antes da entrada {sequence}, que foi guardada",
        "tool.audit_anchor_before_start":
            "A entrada {sequence}, que foi guardada, é anterior às verificadas, e não se pode comparar",
        "tool.audit_anchor_unknown": "Nenhuma das entradas verificadas tem o hash guardado",
        "tool.audit_empty": "O registo de auditoria não tem entradas",
        "tool.bad_anchor":
            "{name} tem de ter linhas de latchkey audit head, ou ser um hash SHA-256 em hexadecimal",
        "tool.bad_time":
            "{name} precisa de uma hora como 2026-01-02T03:04:05Z, de uma data como 2026-01-02 ou de um período como 1h ou 2d",
        "tool.unknown_event": "Evento \"{event}\" desconhecido. A lista está em docs/audit-events.md",
        "tool.unknown_event_suggestion": "Evento \"{event}\" desconhecido. Queria dizer \"{nearest}\"?",
        "tool.audit_mine_alone": "--mine não se pode combinar com --account",

        // The system
        "tool.no_memory": "O sistema não tem mais memória",
        "tool.no_descriptors": "Há demasiados ficheiros abertos. Aumente o limite com ulimit -n",
        "tool.no_threads":
            "O sistema não permite mais threads: atingiu-se um limite de processos ou de memória. Nada foi alterado",
        "tool.unsafe_start": "O latchkey não pode ser instalado com setuid",
        "tool.internal": "Algo correu mal dentro do Latchkey. Nada foi alterado",

        // Results
        "tool.logged_out": "Sessão terminada",
        "tool.was_logged_out": "Não tinha sessão iniciada",
        "tool.cancelled": "Cancelado",
        "tool.other_count_typed": "Não escreveu {count}, por isso nenhuma conta foi eliminada",
        "tool.other_name_typed": "Escreveu outro nome, por isso {username} não foi eliminado",
        "tool.no_such_account": "Essa conta não existe",
        "tool.no_use_disabled": "A conta está desativada. Ative-a primeiro com latchkey accounts enable",
        "tool.no_use_unverified": "A conta ainda não verificou o seu endereço de e-mail",
        "tool.no_such_form": "Esse formulário não existe",
        "tool.blocklist_imported": "Palavras-passe na sua lista: {count}",
        "tool.session": "{source}, último uso {used}, criada {created}",
        "tool.session_own": "{source}, último uso {used}, criada {created} (esta)",
        "tool.this_machine": "esta máquina",
        "tool.standard_input": "entrada padrão",
        "tool.sessions_ended": "{count} sessões terminadas",
        "tool.sessions_ended.one": "1 sessão terminada",
        "tool.token_refused": "Este token não é válido, ou a sua sessão terminou",
        "tool.no_such_session": "Essa sessão não existe. latchkey sessions list mostra as que há",
        "tool.sessions_choice": "Acrescente ID, --others ou --all",
        "tool.others_of_account": "--others termina as suas próprias sessões. Use --all com --account",
        "tool.nothing_to_change":
            "Não há terminal onde perguntar, nem nenhuma opção com uma alteração. latchkey profile --help mostra as opções",
        "tool.password_later":
            "--{flag} não é aceite aqui: o dono escolhe uma palavra-passe com o código enviado por e-mail",
        "tool.password_set": "Palavra-passe de {username} definida. O dono recebe uma mensagem",
        "tool.code_sent": "Um código vai a caminho de {email}",
        "tool.code_unsent":
            "A mensagem com o código para {email} está em {path}. Não há programa de correio definido, por isso nada a envia",
        "tool.message_unsent":
            "A mensagem para {email} está em {path}. Não há programa de correio definido, por isso nada a envia",
        "tool.no_mailer": "\"mailer\" não está definido: as mensagens ficam em {path}, e nada as envia",
        "tool.message_sent": "Mensagem para {email} entregue ao programa de correio",
        "tool.bad_address": "ADDRESS tem de ser um endereço de e-mail, como ada@example.org",
        "tool.mailer_failed": "Não foi possível entregar a mensagem ({code})",
        "tool.mailer_missing": "A definição \"mailer\" indica {program}, que não existe ou não se pode executar",
        "tool.mailer_exited": "O programa de correio falhou com o estado {status}",
        "tool.mailer_killed": "O programa de correio foi terminado pelo sinal {signal}",
        "tool.mailer_slow": "O programa de correio não acabou a tempo e foi terminado",
        "tool.mail_unreachable": "O servidor de correio não está acessível, ou fechou a ligação",
        "tool.mail_slow": "O servidor de correio não respondeu a tempo",
        "tool.mail_certificate": "O certificado do servidor de correio não é válido ou não é de confiança",
        "tool.mail_unencrypted": "O servidor de correio não oferece uma cifra que o Latchkey aceite. Nada foi enviado",
        "tool.mail_login": "O servidor de correio recusou a entrada: {reply}",
        "tool.mail_deferred": "O servidor de correio recusou a mensagem por agora: {reply}",
        "tool.mail_sender": "O servidor de correio recusou o remetente: {reply}",
        "tool.mail_refused": "O servidor de correio recusou a mensagem: {reply}",
        "tool.mail_address": "O Latchkey não envia correio para este endereço",
        "tool.mail_international": "O servidor de correio não suporta endereços fora do ASCII (SMTPUTF8)",
        "tool.mail_failed": "O servidor de correio deu uma resposta inesperada: {reply}",
        "tool.setting_mailer":
            "\"mailer\" tem de ser uma lista com o nome ou o caminho absoluto de um programa e os seus argumentos, ou"
            + " um objeto com \"smtp\"",
        "tool.mail_server_refused": "A definição \"mailer\" não é válida: {problem}",
        "tool.message_accepted": "O servidor de correio aceitou a mensagem para {email}: {reply}",
        "tool.setting_text_limit": "\"{key}\" pode ter no máximo {maximum} bytes de texto sem caracteres de controlo",
        "tool.text_limit": "{name} pode ter no máximo {maximum} bytes de texto sem caracteres de controlo",
        "tool.setting_sentence": "\"{key}\" pode ter no máximo {maximum} bytes de texto sem caracteres de controlo",
        "tool.setting_twice": "\"{key}\" está definido duas vezes: também no objeto \"{group}\". Remova um deles",
        "tool.setting_sentence_unknown": "Não existe a mensagem \"{key}\"",
        "tool.setting_sentence_braces": "\"{key}\" tem um nome desconhecido entre chavetas. Conhecidos: {allowed}",
        "tool.setting_sentence_retired":
            "A definição \"messages\" ainda tem \"{key}\", que esta versão já não usa. Remova-a",
        "set_password.title": "Definir uma palavra-passe",
        "set_password.submit": "Definir a palavra-passe",
        "tool.generated_password":
            "A palavra-passe gerada tem {bits} bits aleatórios, expira ao fim de {lifetime} e tem de ser mudada no primeiro "
            + "início de sessão",
        "tool.account_unlocked": "Conta {username} desbloqueada",
        "tool.account_unlocked_in_vain":
            "Conta {username} desbloqueada, mas depois de tantas falhas tem de ser recuperada: latchkey accounts recover",
        "tool.account_disabled": "Conta {username} desativada",
        "tool.account_enabled": "Conta {username} ativada",
        "tool.username_unsafe": "{username} não é seguro para programas; mude-o com accounts update",
        "tool.address_unverified":
            "O endereço {username} não está verificado, por isso nenhum programa o recebe como nome",
        "tool.enrolment_started":
            "Junte este URI à sua aplicação de autenticação e repita o comando com --code-stdin e um código da aplicação",
        "tool.factor": "Aplicação de autenticação: configurada {added}, usada {used}",
        "tool.factor_none": "Sem segundo fator: latchkey factors add totp configura uma aplicação de autenticação",
        "tool.passkey": "Chave de acesso {id}, {name}: junta {added}, usada {used}",
        "tool.passkey_removed": "Chave de acesso removida",
        "tool.no_such_passkey": "A conta não tem nenhuma chave de acesso com esse id",
        "tool.factor_removed": "Aplicação de autenticação removida",
        "tool.factors_none": "A conta {username} não tem segundo fator",
        "tool.factors_reset": "Segundos fatores da conta {username} removidos, e as sessões terminadas",
        "tool.saved_codes_left": "Códigos guardados: restam {count}",
        "tool.saved_codes_replaced": "Os códigos guardados antigos deixaram de funcionar",
        "tool.change_required": "A conta {username} tem de mudar a palavra-passe no próximo início de sessão",
        "tool.account_updated": "Conta {username} alterada: {fields}",
        "tool.account_unchanged": "A conta {username} já estava assim",
        "tool.account_deleted": "Conta {username} eliminada",
        "tool.audit_intact": "O registo de auditoria está intacto: entradas {first} a {last}",
        "tool.audit_intact_from":
            "O registo de auditoria está intacto: entradas {first} a {last} (as mais antigas foram eliminadas)",
        "tool.audit_nothing": "O registo de auditoria não tem entradas a partir da {first}",
        "tool.maintained":
            "Sessões terminadas: {sessions_ended}. Entradas de auditoria eliminadas: {records_dropped}. Mensagens à "
            + "espera: {messages_waiting}, eliminadas: {messages_deleted}",
        "tool.store_backed_up": "{path}: esquema {schema}, {records} entradas de auditoria, SHA-256 {digest}",
        "tool.store_restored":
            "{path} foi reposta. Terminaram todas as suas sessões, códigos e palavras-passe de aplicação",
        "tool.key_made": "Faltava a chave {path}. Foi criada uma nova, e todas as esperas foram anuladas",
        "tool.store_migrated":
            "{path} passou do esquema {from} para o {to}. Uma cópia da base antiga está em {copy}",
        "tool.store_copied": "{count} linhas copiadas para {target}. As chaves estão em {keys}",
        "tool.store_current": "{path} já tem o esquema mais novo, {to}",
        "tool.clock_accepted": "O relógio foi aceite como certo",
        "tool.form_links": "ligações: {links}",

        // An account, one line for each value
        "account.id": "id",
        "account.username": "nome de utilizador",
        "account.email": "e-mail",
        "account.state": "estado",
        "account.created": "criada",
        "account.password": "palavra-passe",
        "account.generated": "gerada, expira em {time}",
        "account.recovery": "recuperação",
        "account.recovery_needed": "necessária depois de demasiadas falhas",
        "account.must_change": "tem de ser mudada no próximo início de sessão",
        "account.failed_logins": "tentativas falhadas",
        "account.failed_since": "{count} desde a última sessão (a mais recente em {time})",
        "account.locked": "bloqueada",
        "account.locked_for": "por {seconds} s. latchkey accounts unlock anula a espera",

        // What store check finds
        "tool.store_unsound": "A base de contas {path} tem problemas:",
        "check.ok": "{check}: ok",
        "check.warning": "{check}: aviso: {problem}",
        "check.super_journal":
            "{path} refere outro ficheiro, o que o diário de um ficheiro de contas nunca faz. Descubra quem o pôs lá e apague-o",
        "check.folder_open":
            "Outros utilizadores podem escrever em {path}. Guarde as contas numa pasta sua em que só você possa escrever",
        "check.exposed": "{path} tem de ser um ficheiro normal a que só você tenha acesso: chmod 600 {path}",
        "check.stray":
            "{path} pertence a outra base de dados ou a outro programa. Tire-o dali para usar a base de contas",
        "check.damaged":
            "{problem}. Reponha uma cópia de segurança noutro caminho (latchkey store restore), ou salve o que resta com "
            + "o .recover do sqlite3",
        "check.value_invalid":
            "{table}.{column} da linha {row} tem um valor impossível. Reponha uma cópia de segurança noutro caminho "
            + "(latchkey store restore), ou corrija o valor com o sqlite3",
        "check.cut_short": "o ficheiro está danificado ou cortado",
        "check.not_a_store":
            "não é uma base de contas do Latchkey. Reponha uma cópia de segurança noutro caminho (latchkey store restore)",
        "check.failed": "o ficheiro não se conseguiu ler ({code})",
        "check.unfinished":
            "uma alteração foi interrompida. Execute outro comando, como latchkey accounts list, para a desfazer, e "
            + "verifique de novo",
        "check.schema_older":
            "o esquema {schema} é mais antigo que o {newest}. Execute latchkey store migrate",
        "check.audit_broken": "o registo de auditoria foi alterado na entrada {sequence}",
        "check.key_foreign": "a chave {path} pertence a outra base de contas",
        "check.key_missing": "a chave {path} falta ou está danificada. Reponha-a de uma cópia de segurança",
        "check.list_unusable":
            "{path} está danificado ou ilegível, ou outros podem alterá-lo. Corrija-o ou remova-o: até lá, não se podem "
            + "definir palavras-passe",
        "check.pepper_missing":
            "a chave {id}, com que há hashes selados, falta ou está danificada. Reponha-a da sua cópia",
        "check.hash_unusable":
            "{count} contas têm um hash que não se pode verificar: esquema desconhecido ou demasiado caro",
        "check.hash_unusable.one":
            "1 conta tem um hash que não se pode verificar: esquema desconhecido ou demasiado caro",
        "check.hash_not_sealed":
            "{count} contas têm um hash que não está selado, e não podem iniciar sessão. Outro programa escreveu na base de "
            + "contas, ou é uma cópia antiga: nesse caso elimine {path} e execute latchkey pepper rotate",
        "check.hash_not_sealed.one":
            "1 conta tem um hash que não está selado, e não pode iniciar sessão. Outro programa escreveu na base de contas, "
            + "ou é uma cópia antiga: nesse caso elimine {path} e execute latchkey pepper rotate",
        "check.mail_unsent": "\"mailer\" não está definido: as mensagens ficam em {path}, e nada as envia",
        "check.clock_behind": "o relógio está {minutes} minutos atrasado em relação à base de contas",
        "check.space_low": "restam {mebibytes} MiB no disco",
        "check.reserve_missing":
            "não há espaço reservado para terminar sessões com o disco cheio. O próximo uso da base de contas reserva-o",
        "check.library_old":
            "o SQLite {version} tem um erro que pode danificar bases de dados em modo WAL. O Latchkey não usa esse modo",

        // Menus
        "menu.change_password": "Mudar a palavra-passe",
        "menu.profile": "Editar o perfil",
        "menu.factors": "Segundo fator",
        "menu.add_factor": "Configurar uma aplicação de autenticação",
        "menu.new_codes": "Novos códigos guardados",
        "menu.remove_factor": "Remover a aplicação de autenticação",
        "menu.remove_passkey": "Remover a chave de acesso",
        "menu.remove_passkey_ask":
            "Remover a chave de acesso {name}? É o último segundo fator: para entrar bastará a palavra-passe",
        "menu.remove_passkey_ask.other": "Remover a chave de acesso {name}? Deixa de poder entrar com ela",
        "menu.remove_factor_ask.other":
            "Remover a aplicação de autenticação? As chaves de acesso e os códigos guardados continuam a funcionar",
        "menu.remove_factor_ask": "Remover a aplicação de autenticação? Para entrar bastará a palavra-passe",
        "menu.sessions": "Sessões ativas",
        "menu.end_others": "Terminar todas as outras sessões",
        "menu.sessions_title": "Escolha uma sessão para a terminar",
        "menu.end_ask": "Terminar esta sessão? Quem a usa terá de entrar de novo",
        "menu.end_own_ask": "Terminar esta sessão? É a que está a usar, por isso sai da conta",
        "menu.end_others_ask": "Terminar todas as sessões menos esta?",
        "menu.end_not": "Manter",
        "menu.end": "Terminar",
        "menu.back": "Voltar",
        "menu.log_out": "Terminar sessão",
        "menu.leave": "Sair",
        "menu.delete": "Eliminar {username} e todos os dados da conta?",
        "menu.delete_several": "Eliminar {count} contas e todos os seus dados: {names}?",
        "menu.delete_several.one": "Eliminar 1 conta e todos os seus dados: {names}?",
        "menu.delete_several_confirmation": "Escreva {count} para confirmar",
        "menu.delete_confirmation": "Escreva {username} para confirmar",
        "menu.create": "Criar uma conta",
        "menu.update": "Editar a conta {username}",
        "menu.prune": "Eliminar {count} contas que não estão em {name}?",
        "menu.prune.one": "Eliminar 1 conta que não está em {name}?",
        "menu.prune_keep": "Mantê-las",
        "menu.prune_remove": "Eliminar definitivamente",
        "menu.delete_account": "Eliminar definitivamente",
    ]
}
