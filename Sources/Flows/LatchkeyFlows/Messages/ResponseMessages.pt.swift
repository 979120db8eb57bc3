import LatchkeyForms

extension ModuleSentences {
    static let portugueseFlows: [String: String] = [
        // Responses by code
        "response.success": "Feito",
        "response.code_sent": "Um código vai a caminho do endereço de e-mail indicado",
        "response.enrolment_started":
            "Junte a conta à sua aplicação de autenticação e introduza o código que ela mostra",
        "response.password_reset": "Palavra-passe mudada. Inicie sessão com a nova",
        "response.invalid_code": "O código foi recusado",
        "response.reauthentication_required": "Inicie sessão outra vez: isto precisa de uma sessão recente",
        "response.invalid_credentials": "Nome de utilizador ou palavra-passe errados",
        "response.change_required": "Primeiro tem de mudar a sua palavra-passe",
        "response.second_factor_required":
            "Indique também um código: da sua aplicação de autenticação, ou um que guardou",
        "response.enrolment_required": "Este serviço pede um segundo fator. Configure-o primeiro",
        "response.factor_exists": "A sua conta já tem uma aplicação de autenticação. Remova-a antes de juntar outra",
        "response.taken": "Já está a ser usado",
        "response.validation_failed": "Corrija os campos abaixo",
        "response.throttled": "Demasiadas tentativas. Tente de novo daqui a {seconds} s",
        "response.internal": "Algo correu mal dentro do Latchkey. Nada foi alterado",
        "response.unavailable": "De momento não está disponível. Nada foi alterado",
        "response.storage_failed": "Não foi possível ler ou escrever a base de contas. Nada foi alterado",
        "response.no_memory": "O sistema não tem mais memória. Nada foi alterado",
        "response.no_randomness": "O sistema não dá bytes aleatórios. Nada foi alterado",
        "response.blocklist_unusable":
            "Não se podem definir palavras-passe, porque uma lista de palavras-passe comuns está danificada ou ilegível. "
            + "Nada foi alterado",
        "response.store_full": "O disco está cheio. Nada foi alterado",
        "response.store_read_only": "A base de contas é só de leitura. Nada foi alterado",
        "response.store_corrupt": "A base de contas está danificada. Nada foi alterado",
        "response.no_session": "Não tem sessão iniciada",

        // Messages after a finished flow
        "done.login": "Sessão iniciada como {username}",
        "done.setup": "Conta {username} criada",
        "done.forgotPassword": "Se essa conta existir, um código vai a caminho de {email_field}",
        "done.resetPassword": "Palavra-passe mudada. Inicie sessão com a nova",
        "done.changePassword": "Palavra-passe mudada",
        "done.profile": "Guardado",
        "done.deleteAccount": "Conta eliminada",
        "done.reauthenticate": "Palavra-passe confirmada",
        "done.secondFactor": "Sessão iniciada como {username}",
        "done.addFactor": "A sua aplicação de autenticação está configurada",
        "factor.saved_codes":
            "Guarde estes códigos longe do seu dispositivo. Cada um serve uma vez, em vez da aplicação ou da chave de acesso",
        "factor.key": "Chave: {key}",
        "factor.uri": "URI: {uri}",
        "notice.outbox": "Nenhum programa envia correio: a mensagem está em {path}",
        "notice.failed_logins": "{count} tentativas falhadas desde a sua última visita (a mais recente em {time})",
        "notice.failed_logins.one": "1 tentativa falhada desde a sua última visita ({time})",
    ]
}
