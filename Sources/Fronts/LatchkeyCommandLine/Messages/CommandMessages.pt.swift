import LatchkeyForms

extension ModuleSentences {
    static let portugueseCommandLine: [String: String] = [
        // Listas
        "list.name": "NOME",
        "list.created": "CRIADA",
        "list.id": "ID",
        "list.used": "ÚLTIMO USO",
        "list.source": "ORIGEM",
        "list.this_one": "(esta)",
        "list.accounts_none": "Não há contas",
        "list.sessions": "{count} sessões",
        "list.sessions.one": "1 sessão",
        "list.sessions_none": "Não há sessões ativas",

        // Usage
        "tool.unknown_command": "Comando \"{command}\" desconhecido. latchkey --help mostra todos",
        "tool.unknown_command_suggestion": "Comando \"{command}\" desconhecido. Queria dizer: {nearest}",
        "tool.command_missing": "\"{group}\" precisa de um destes: {known}",
        "tool.unknown_flag": "Opção {flag} desconhecida",
        "tool.operand_like_flag": "Opção {flag} desconhecida. Se for o início de {name}, escreva -- antes",
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
        "tool.bad_store":
            "{name} tem de ser um caminho, ou um endereço postgresql:// sem palavra-passe, que pertence a um ficheiro próprio",
        "tool.service_missing": "O programa latchkey-service não está instalado ao lado de latchkey",
        "tool.database_unusable": "{path} está em PostgreSQL, que este programa não usa. Precisa de uma base SQLite",
        "tool.bad_number": "{name} precisa de um número inteiro",
        "tool.number_out_of_range": "{name} precisa de um número inteiro de {minimum} a {maximum}",
        "tool.number_too_small": "{name} precisa de um número inteiro, no mínimo {minimum}",
        "tool.bad_language": "{name} precisa de uma destas línguas: {known}",
        "tool.flags_missing": "Alguns campos faltam ou não são válidos:",
        "tool.unknown_flow": "--open precisa de um destes: {known}",
        "tool.unknown_form": "--form precisa de um destes: {known}",
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
        "tool.bad_duration": "{name} tem de ser um número inteiro de s, m, h, d ou w, como 90d",
        "tool.flag_missing": "{name} é obrigatório",
        "menu.device_ask": "Ligar {name} à sua conta?",
        "menu.device_connect": "Sim, ligar",
        "menu.device_refuse": "Não, cancelar",
        "tool.device_code": "Código: {code}. Compare-o com o código no dispositivo",
        "tool.device_began": "{name} pediu {time}",
        "tool.device_began_at": "{name} pediu {time} a partir de {source}",
        "tool.device_learns": "{name} vai receber:",
        "tool.device_caution": "Continue só se foi você que começou. Mais ninguém lhe envia um código",
        "tool.device_connected": "{name} está ligado",
        "tool.device_denied": "{name} não está ligado e não sabe nada sobre si",
        "tool.device_unknown":
            "Nenhum dispositivo espera com este código. Compare-o ou recomece no dispositivo: um código vale dez minutos",
        "tool.device_refused": "Não pode usar {name} agora. O dispositivo não recebe nada",
        "tool.device_refused_group": "{name} é só para membros de certos grupos. O dispositivo não recebe nada",
        "tool.device_refused_level":
            "{name} precisa de uma sessão com um segundo fator. O dispositivo não recebe nada. latchkey factors add"
            + " configura um",
        "tool.no_factor": "A conta não tem aplicação de autenticação",
        "tool.bad_name": "{name} tem de ter 1 a {maximum} caracteres, todos visíveis",
        "tool.app_password_shown":
            "Introduza-a num só programa, em vez da sua palavra-passe. Não pode ser mostrada outra vez",
        "tool.app_password_revoked": "Palavra-passe de aplicação {name} revogada",
        "tool.no_such_app_password": "Não há nenhuma palavra-passe de aplicação com esse id",
        "tool.too_many_app_passwords": "A conta já tem {maximum} palavras-passe de aplicação: revogue algumas primeiro",
        "list.app_passwords": "{count} palavras-passe de aplicação",
        "list.app_passwords.one": "1 palavra-passe de aplicação",
        "list.app_passwords_none": "Nenhuma palavra-passe de aplicação",
        "list.never": "nunca",
        "tool.server_unwanted": "{name} é para os comandos do dono de uma conta; este trabalha numa base de contas",
        "tool.server_and_store": "{server} e {store} excluem-se: um indica um serviço, o outro uma base de contas",
        "tool.bad_server": "{name} não é válido: {problem}",
        "tool.server_failed": "Sem resposta do serviço: {problem}",
        "tool.flags_exclude": "--{flag} e --{other} não se podem combinar",
        "tool.secret_twice": "--{flag}-stdin, --{flag}-file e --{flag}-fd não se podem combinar",
        "tool.secret_from_terminal": "{flag} lê de um pipe ou de um ficheiro. Omita-o para que se lhe pergunte",
        "tool.secret_missing": "{flag}: não há nada para ler",
        "tool.input_left_over": "A entrada padrão tem mais linhas do que as opções que leem uma",

        // Data
        "tool.validation_failed": "Alguns campos não são válidos:",

        // Many accounts
        "tool.bad_choice": "{name} precisa de um destes: {known}",

        // Files
        "tool.input_unreadable": "{name} não se consegue ler",
        "tool.input_exposed": "{name} pode ser alterado por outros utilizadores. Execute primeiro chmod go-w",
        "tool.input_open": "{name} pode ser lido por outros utilizadores",
        "tool.input_missing": "{name} não existe",
        "tool.input_denied": "Não tem permissão para ler {name}",
        "tool.output_exposed": "{path} ficaria numa pasta que outros utilizadores podem alterar",
        "tool.output_full": "O disco não tem espaço para {path}",
        "tool.output_folder":
            "Não se pode criar {path}: a pasta não existe ou não se pode escrever nela, ou não é um ficheiro normal",
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
            "{path} foi criado por uma versão anterior do Latchkey. Execute latchkey store migrate",
        "tool.store_too_old":
            "{path} foi criado por uma versão de pré-lançamento. Execute accounts export --with-hashes com essa versão e depois"
            + " accounts import com esta",
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
        "tool.session_exposed":
            "{path} tem de ser um ficheiro a que só você tenha acesso. Corrija as permissões ou elimine-o",
        "tool.session_failed": "{path} não se consegue ler ou escrever",
        "tool.session_lives": "Terminou a sessão aqui, mas ela fica na base de contas até expirar",

        // The audit trail
        "tool.bad_time":
            "{name} precisa de uma hora como 2026-01-02T03:04:05Z, de uma data como 2026-01-02 ou de um período como 1h ou 2d",

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
        "tool.no_such_account": "Essa conta não existe",
        "tool.no_use_disabled": "A conta está desativada. Ative-a primeiro com latchkey accounts enable",
        "tool.no_use_unverified": "A conta ainda não verificou o seu endereço de e-mail",
        "tool.session": "{source}, último uso {used}, criada {created}",
        "tool.session_own": "{source}, último uso {used}, criada {created} (esta)",
        "tool.this_machine": "esta máquina",
        "tool.standard_input": "entrada padrão",
        "tool.sessions_ended": "{count} sessões terminadas",
        "tool.sessions_ended.one": "1 sessão terminada",
        "tool.logout_confirmed": "{id}: sessão terminada",
        "tool.logout_abandoned":
            "{id}: recusou, ou falhou demasiadas vezes. O registo tem o motivo. Não há mais tentativas",
        "tool.logout_failed": "{id}: sem confirmação. O registo tem o motivo e a próxima tentativa",
        "tool.logout_waiting": "{id}: ainda sem resposta",
        "tool.token_refused": "Este token não é válido, ou a sua sessão terminou",
        "tool.no_such_session": "Essa sessão não existe. latchkey sessions list mostra as que há",
        "tool.sessions_choice": "Acrescente ID, --others ou --all",
        "tool.others_of_account": "--others termina as suas próprias sessões. Use --all com --account",
        "tool.nothing_to_change":
            "Não há terminal onde perguntar, nem nenhuma opção com uma alteração. latchkey profile --help mostra as opções",
        "tool.password_later":
            "--{flag} não é aceite aqui: o dono escolhe uma palavra-passe com o código enviado por e-mail",
        "tool.code_sent": "Um código vai a caminho de {email}",
        "tool.code_unsent":
            "A mensagem com o código para {email} está em {path}. Não há programa de correio definido, por isso nada a envia",
        "tool.text_limit": "{name} pode ter no máximo {maximum} bytes de texto sem caracteres de controlo",
        "tool.generated_password":
            "A palavra-passe gerada tem {bits} bits aleatórios, expira ao fim de {lifetime} e tem de ser mudada no primeiro "
            + "início de sessão",
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
        "tool.saved_codes_left": "Códigos guardados: restam {count}",
        "tool.saved_codes_replaced": "Os códigos guardados antigos deixaram de funcionar",
        "tool.change_required": "A conta {username} tem de mudar a palavra-passe no próximo início de sessão",

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
        "menu.delete_confirmation": "Escreva {username} para confirmar",
        "menu.delete_account": "Eliminar definitivamente",
    ]
}
