extension MessageTable {
    /// Portuguese as it is written in Portugal, in words that are also understood elsewhere.
    ///
    /// A label is followed by a colon and not by a verb, for its gender is the form's to choose.
    public static let portuguese = MessageTable(
        sentences: [
            portugueseForms, portugueseShippedForms, portugueseCommandLine, portuguesePolicy, portugueseMail,
        ].merged)

    /// What forms, flows and descriptions say.
    private static let portugueseForms: [String: String] = [
        // Rules
        "rule.required": "{field}: é preciso preencher",
        "rule.min_length": "{field}: pelo menos {minimum} caracteres",
        "rule.max_length": "{field}: no máximo {maximum} caracteres",
        "rule.exact_length": "{field}: exatamente {length} caracteres",
        "rule.email": "{field}: tem de ser um endereço de e-mail, como ada@example.org",
        "rule.username": "{field}: letras e algarismos de uma só escrita, sem espaços nem @ (1 a 64 caracteres)",
        "rule.password": "{field}: há caracteres que não se podem usar (de controlo, ou por atribuir)",
        "rule.confirmation": "As duas respostas não são iguais",
        "rule.differs": "{field}: não pode ser igual a {other}",
        "rule.ascii": "{field}: só caracteres ASCII, sem acentos nem outras escritas",
        "rule.alpha": "{field}: só letras",
        "rule.alpha_numeric": "{field}: só letras e algarismos",
        "rule.numeric": "{field}: só algarismos, de 0 a 9",
        "rule.integer": "{field}: tem de ser um número inteiro, como 42",
        "rule.float": "{field}: tem de ser um número, como 4.2",
        "rule.too_small": "{field}: tem de ser {minimum} ou mais",
        "rule.too_large": "{field}: tem de ser {maximum} ou menos",
        "rule.hex_color": "{field}: tem de ser uma cor em algarismos hexadecimais, como #336699",
        "rule.one_of": "{field}: tem de ser um destes valores: {values}",
        "rule.none_of": "{field}: não pode ser nenhum destes valores: {values}",
        "rule.contains": "{field}: tem de conter \"{text}\"",
        "rule.excludes": "{field}: não pode conter \"{text}\"",
        "rule.full_name": "{field}: tem de ser um nome completo, de duas palavras ou mais",
        "rule.date": "{field}: tem de ser uma data, como 2026-01-31",
        "rule.too_early": "{field}: tem de ser {earliest} ou depois",
        "rule.too_late": "{field}: tem de ser {latest} ou antes",
        "rule.ipv4": "{field}: tem de ser um endereço IPv4, como 192.0.2.1",
        "rule.ipv6": "{field}: tem de ser um endereço IPv6, como 2001:db8::1",
        "rule.card_number": "{field}: tem de ser um número de cartão; há um algarismo errado ou em falta",
        "rule.isbn": "{field}: tem de ser um ISBN; há um algarismo errado ou em falta",
        "rule.phone_number": "{field}: tem de ser um número de telefone, como +442079460958 ou (020) 7946 0958",
        "rule.url": "{field}: tem de ser um URL completo, com servidor, que comece por um destes esquemas: {schemes}",
        "rule.regex": "{field}: não tem a forma que aqui se pede",
        "rule.hash_unsupported": "{field}: não é um hash que aqui se possa verificar",
        "rule.hash_too_costly": "{field}: este hash pede mais memória ou tempo do que é permitido",
        "rule.character_set": "{field}: só caracteres de {allowed}",
        "rule.not_common": "{field}: é demasiado fácil de adivinhar; escolha outra",
        "rule.not_common.listed":
            "{field}: está na lista das palavras-passe comuns; é melhor juntar algumas palavras sem relação entre si",
        "rule.not_common.service":
            "{field}: contém o nome deste serviço e pouco mais; escolha outra que nada tenha a ver com ele",
        "rule.not_common.username":
            "{field}: contém o nome da sua conta e pouco mais; escolha outra que nada tenha a ver com ele",
        "rule.not_common.email":
            "{field}: contém o seu endereço de e-mail, ou parte dele, e pouco mais; escolha outra que nada tenha a "
            + "ver com ele",
        "rule.not_common.name": "{field}: contém o seu nome e pouco mais; escolha outra que nada tenha a ver com ele",
        "rule.not_common.word":
            "{field}: contém uma palavra que qualquer pessoa daqui adivinharia, e pouco mais; escolha outra que nada "
            + "tenha a ver com ela",
        "rule.strength": "{field}: adivinha-se demasiado depressa",
        "rule.strength.add_words": "{field}: adivinha-se demasiado depressa; acrescente uma palavra ou duas",
        "rule.strength.avoid_common_words":
            "{field}: adivinha-se demasiado depressa; as palavras e os nomes comuns são os primeiros a ser tentados, "
            + "também com sinais em vez de letras",
        "rule.strength.avoid_repeats": "{field}: adivinha-se demasiado depressa; o que se repete nada acrescenta",
        "rule.strength.avoid_sequences":
            "{field}: adivinha-se demasiado depressa; sequências como abc ou 6543 são as primeiras a ser tentadas",
        "rule.strength.avoid_keyboard_rows":
            "{field}: adivinha-se demasiado depressa; as teclas vizinhas são as primeiras a ser tentadas",
        "rule.strength.avoid_dates":
            "{field}: adivinha-se demasiado depressa; as datas e os anos são os primeiros a ser tentados",
        "rule.zip_code": "{field}: tem de ser um código postal como se escreve em {country}",
        "rule.invalid_utf8": "{field}: não é UTF-8 válido",
        "rule.nul": "{field}: não pode ter um carácter NUL",
        "rule.too_long": "{field}: no máximo {maximum} bytes",
        "rule.unprintable": "{field}: há caracteres que não se podem mostrar (de controlo, ou invisíveis)",
        "rule.line_break": "{field}: não pode ter quebras de linha; nada foi colado",
        "rule.recovery_code": "{field}: está errado, já foi usado ou é demasiado antigo; peça outro",
        "rule.taken": "{field}: já está a ser usado",
        "rule.wrong_password": "{field}: está errada",

        // Forms
        "form.again": "{field} outra vez",
        "form.optional": "opcional",
        "form.value": "Valor",
        "link.login": "Iniciar sessão",
        "link.setup": "Criar conta",
        "link.forgotPassword": "Esqueceu-se da palavra-passe?",
        "link.resetPassword": "Tenho um código",
        "link.changePassword": "Mudar a palavra-passe",
        "link.profile": "A sua conta",
        "link.deleteAccount": "Eliminar a conta",

        // Answers of the network, by code
        "response.success": "Feito",
        "response.code_sent": "Foi enviado um código para o endereço indicado",
        "response.reauthentication_required":
            "Isto pede que a palavra-passe tenha sido dada nos últimos 5 minutos: inicie sessão outra vez",
        "response.invalid_credentials": "Nome de utilizador ou palavra-passe errados",
        "response.change_required": "Primeiro é preciso mudar a palavra-passe",
        "response.taken": "Já existe",
        "response.validation_failed": "Algumas respostas foram recusadas",
        "response.throttled": "Demasiadas tentativas. Tente de novo daqui a {seconds} s",
        "response.internal": "Algo correu mal dentro do latchkey; nada foi alterado",
        "response.unavailable": "De momento não está disponível; nada foi alterado",
        "response.storage_failed": "Não foi possível ler ou escrever a base de contas; nada foi alterado",
        "response.no_memory": "O sistema não tem mais memória; nada foi alterado",
        "response.no_randomness": "O sistema não dá bytes aleatórios; nada foi alterado",
        "response.blocklist_unusable":
            "Uma lista de palavras-passe comuns está danificada ou não se consegue ler, e nenhuma palavra-passe pode "
            + "ser definida até ser reparada; nada foi alterado",
        "response.store_full": "O disco da base de contas está cheio; nada foi alterado",
        "response.store_read_only": "Não se pode escrever na base de contas; nada foi alterado",
        "response.store_corrupt": "A base de contas está danificada; nada foi alterado",
        "response.no_session": "Não há sessão iniciada",

        // What a finished flow leaves on the screen
        "done.login": "Sessão iniciada como {username}",
        "done.setup": "Conta {username} criada",
        "done.forgotPassword": "Se essa conta existir, foi enviado um código para {email_field}",
        "done.resetPassword": "A palavra-passe foi mudada. Inicie sessão com a nova",
        "done.changePassword": "A palavra-passe foi mudada",
        "done.profile": "Guardado",
        "done.deleteAccount": "A conta foi eliminada",

        "notice.failed_logins":
            "Tentativas falhadas de iniciar sessão desde a última vez: {count}, a mais recente em {time}",

        // The password once more
        "reauthenticate.title": "Confirme que é você",
        "reauthenticate.submit": "Confirmar",
        "reauthenticate.label": "Palavra-passe",

        // The front in a terminal
        "front.busy": "Um momento ...",
        "front.cancelled": "Cancelado",
        "front.interrupted": "Interrompido",
        "front.review": "Verifique as suas respostas; com Cima pode mudá-las",
        "front.digits": "algarismos",
        "keys.next": "Enter: seguinte",
        "keys.submit": "Enter: {submit}",
        "keys.follow": "Enter: abrir",
        "keys.choose": "Enter: escolher",
        "keys.previous": "Cima: voltar",
        "keys.reveal": "Ctrl-R: mostrar",
        "keys.hide": "Ctrl-R: esconder",
        "keys.cancel": "Esc: sair",
        "line.ways": "< volta atrás, ? ajuda",
        "line.way": ":{name} abre \"{title}\"",
        "line.empty": ":empty esvazia a resposta",
        "line.escapes": "Se a resposta começar por <, ? ou :, escreva \\ antes dela",
        "line.keeps": "Uma linha vazia mantém o que está entre parênteses",
        "line.secret_is_text": "Aqui tudo se toma à letra; uma linha vazia oferece o caminho de volta",
        "line.secret_again": "Nada foi introduzido. Enter deixa assim, < volta atrás, ? ajuda",
        "line.secret_keeps": "Nada foi introduzido. Enter mantém a resposta dada antes, < volta atrás, ? ajuda",
        "line.unknown": "Isso não é resposta aqui; ? ajuda",
        "line.submit": "Enter: {submit}, < volta atrás",
        "line.number": "Um número de 1 a {maximum}; uma linha vazia sai",
        "line.overlong": "Essa linha era demasiado longa; nada dela foi tomado",

        // Descriptions of forms
        "description.not_utf8": "não é UTF-8 válido",
        "description.byte_order_mark": "começa por uma marca de ordem de bytes; guarde-o sem ela",
        "description.comment": "em JSON não há comentários",
        "description.unexpected_end": "acaba a meio de um valor",
        "description.unexpected": "{text} inesperado",
        "description.duplicate_key": "a chave \"{key}\" está lá duas vezes",
        "description.lone_surrogate": "um substituto isolado (\\ud800 a \\udfff) não é um carácter",
        "description.too_deep": "mais de {maximum} níveis de encaixe",
        "description.after_end": "há algo depois do fim da descrição",
        "description.too_large": "tem mais de {maximum} bytes",
        "description.too_many": "\"{key}\" tem mais de {maximum} elementos",
        "description.empty": "\"{key}\" não pode estar vazio",
        "description.unknown_key": "chave \"{key}\" desconhecida; conhecem-se aqui: {allowed}",
        "description.missing_key": "falta a chave \"{key}\"",
        "description.wrong_type": "\"{key}\" tem de ser do tipo {expected}",
        "description.wrong_element": "cada elemento de \"{key}\" tem de ser do tipo {expected}",
        "description.unknown_name": "{key} \"{name}\" desconhecido; conhecem-se: {allowed}",
        "description.duplicate": "{key} \"{name}\" está lá duas vezes",
        "description.described_twice": "o formulário \"{name}\" já está descrito em {file}",
        "description.bad_name": "\"{name}\" não serve para {key}",
        "description.reserved": "\"{name}\" não serve para {key}, porque os comandos já o usam",
        "description.out_of_range": "\"{key}\" tem de estar entre {minimum} e {maximum}",
        "description.exponent": "\"{key}\" tem de ser escrito sem expoente",
        "description.out_of_order": "\"{key}\" não pode ser inferior a \"{lower}\"",
        "description.not_a_date": "\"{name}\" não serve para {key}, porque não é uma data como 2026-01-31",
        "description.too_long": "\"{key}\" pode ter no máximo {maximum} bytes",
        "description.bad_pattern": "\"{key}\" não é um padrão dos que o RE2 conhece ({reason})",
        "description.pattern_too_large": "\"{key}\" precisa de mais de {maximum} bytes de memória",
        "description.not_one_class":
            "\"{key}\" tem de ser uma só classe de caracteres com os seus parênteses retos, como [a-z0-9]",
        "description.must_be_secret": "o campo \"{name}\" tem de ter \"secret\": true",
        "description.must_not_be_secret": "o campo \"{name}\" não pode ser secreto",
        "description.must_not_trim": "um segredo nunca é aparado",
        "description.no_such_field": "não há nenhum campo \"{name}\" neste formulário",
        "description.refers_to_itself": "o campo \"{name}\" refere-se a si próprio",
        "description.repeats_in_circle": "o campo \"{name}\" repete por sua vez este",
        "description.repeats_secret": "o que repete o segredo \"{name}\" também tem de ter \"secret\": true",
        "description.missing_field": "o fluxo precisa de um campo \"{name}\"",
    ]
}
