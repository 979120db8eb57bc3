import LatchkeyForms

extension ModuleSentences {
    static let portugueseAccounts: [String: String] = [
        // With a code
        "mail.recovery.subject": "O seu código de recuperação de {service}",
        "mail.recovery.text": "Recebemos um pedido para recuperar a sua conta de {service}. O seu código é",
        "mail.recovery.closing":
            "Funciona uma vez e expira ao fim de {lifetime}. Se não o pediu, ignore esta mensagem: sem o código, nada "
            + "muda.",
        "mail.operator_code.subject": "O seu código de recuperação de {service}",
        "mail.operator_code.text":
            "Um operador de {service} criou um código que lhe permite definir uma nova palavra-passe. O seu código é",
        "mail.operator_code.closing":
            "Funciona uma vez e expira ao fim de {lifetime}. Se não o pediu, ignore esta mensagem: sem o código, nada "
            + "muda.",
        "mail.sign_up.subject": "O seu código de registo em {service}",
        "mail.sign_up.text":
            "Recebemos um pedido para criar uma conta de {service} com este endereço. O seu código é",
        "mail.sign_up_again.subject": "A sua conta de {service}",
        "mail.sign_up_again.text":
            "Recebemos um pedido para criar uma conta de {service} com este endereço, que já tem uma. Se foi você, inicie "
            + "sessão, ou defina uma nova palavra-passe com este código",
        "mail.sign_up_again.closing":
            "Funciona uma vez e expira ao fim de {lifetime}. Se não o pediu, ignore esta mensagem: nada mudou.",
        "mail.sign_up.closing":
            "Funciona uma vez e expira ao fim de {lifetime}. Se não o pediu, ignore esta mensagem: sem o código, nada "
            + "muda.",
        "mail.confirmation.subject": "O seu código de confirmação de {service}",
        "mail.confirmation.text":
            "Recebemos um pedido para usar este endereço numa conta de {service}. O seu código é",
        "mail.confirmation.closing":
            "Funciona uma vez e expira ao fim de {lifetime}. Se não o pediu, ignore esta mensagem: sem o código, nada "
            + "muda.",
        "mail.invitation.subject": "O seu convite para {service}",
        "mail.invitation.text": "Um operador de {service} convida-o a criar uma conta. Abra esta ligação:",
        "mail.invitation.closing":
            "Funciona uma vez e expira ao fim de {lifetime}. Se não quer uma conta, ignore esta mensagem.",
        "mail.link": "Ou abra esta ligação:",

        // After a change
        "mail.email_changed.subject": "O endereço de e-mail da sua conta de {service} foi mudado",
        "mail.email_changed.text":
            "A sua conta de {service} tem um novo endereço de e-mail. Esta mensagem vai para o antigo e para o novo.",
        "mail.email_changed.end": "Se não foi você, contacte o operador de {service}.",
        "mail.address_taken.subject": "A sua conta de {service}",
        "mail.address_taken.text":
            "Outra conta de {service} pediu para usar este endereço de e-mail, que pertence à sua conta. Nada mudou.",
        "mail.address_taken.end":
            "Se não o pediu, ignore esta mensagem. Se foi você, mude primeiro o endereço desta conta.",
        "mail.account_deleted.subject": "A sua conta de {service} foi eliminada",
        "mail.account_deleted.text":
            "A sua conta de {service} e todos os seus dados foram eliminados, como foi confirmado com a sua "
            + "palavra-passe.",
        "mail.account_deleted.end": "Se não foi você, contacte o operador de {service}.",
        "mail.welcome.subject": "{service} dá-lhe as boas-vindas",
        "mail.welcome.text":
            "A sua conta de {service} está pronta. A partir de agora, inicie sessão com a palavra-passe que definiu.",
        "mail.welcome.end": "Se não foi você, contacte o operador de {service}.",
        "mail.password_changed.subject": "A palavra-passe da sua conta de {service} foi mudada",
        "mail.password_changed.text":
            "A palavra-passe da sua conta de {service} foi mudada. Todas as suas sessões foram terminadas.",
        "mail.password_changed.end": "Se não foi você, recupere já a sua conta e contacte o operador de {service}.",
        "mail.password_reset.subject": "A palavra-passe da sua conta de {service} foi mudada",
        "mail.password_reset.text":
            "A palavra-passe da sua conta de {service} foi redefinida com um código de recuperação. Todas as suas "
            + "sessões foram terminadas.",
        "mail.password_reset.end": "Se não foi você, recupere já a sua conta e contacte o operador de {service}.",
        "mail.password_set.subject": "A palavra-passe da sua conta de {service} foi mudada",
        "mail.password_set.text":
            "Um operador de {service} definiu uma nova palavra-passe para a sua conta. Todas as suas sessões foram "
            + "terminadas.",
        "mail.password_set.end": "Se não o pediu, recupere já a sua conta e contacte o operador de {service}.",
        "mail.factor_added.subject": "A sua conta de {service} tem um segundo fator",
        "mail.factor_added.text":
            "Foi junta uma aplicação de autenticação à sua conta de {service}. A partir de agora, cada início de sessão "
            + "pede um código.",
        "mail.factor_added.end": "Se não foi você, contacte o operador de {service}.",
        "mail.factor_removed.subject": "A sua conta de {service} deixou de ter um segundo fator",
        "mail.factor_removed.text":
            "A aplicação de autenticação foi removida da sua conta de {service}. Os códigos guardados deixaram de servir.",
        "mail.factor_removed.end":
            "Se não foi você, mude já a sua palavra-passe e contacte o operador de {service}.",
        "mail.passkey_added.subject": "A sua conta de {service} tem uma nova chave de acesso",
        "mail.passkey_added.text":
            "Foi junta uma chave de acesso à sua conta de {service}. A partir de agora, cada início de sessão precisa dela "
            + "ou de outro segundo fator.",
        "mail.passkey_added.end": "Se não foi você, contacte já o operador de {service}.",
        "mail.passkey_removed.subject": "Foi removida uma chave de acesso da sua conta de {service}",
        "mail.passkey_removed.text": "Foi removida uma chave de acesso da sua conta de {service}. Deixou de servir.",
        "mail.passkey_removed.end":
            "Se não foi você que a removeu, mude já a sua palavra-passe e contacte o operador de {service}.",
        "mail.factors_reset.subject": "A sua conta de {service} deixou de ter um segundo fator",
        "mail.factors_reset.text":
            "Um operador de {service} removeu o segundo fator da sua conta. Todas as suas sessões foram terminadas.",
        "mail.factors_reset.end":
            "Se não o pediu, mude já a sua palavra-passe e contacte o operador de {service}.",
        "mail.app_password_added.subject": "A sua conta de {service} tem uma nova palavra-passe de aplicação",
        "mail.app_password_added.text":
            "Foi criada uma palavra-passe de aplicação para a sua conta de {service}. Com ela, um programa como um cliente "
            + "de correio pode iniciar sessão sem o segundo fator.",
        "mail.app_password_added.end":
            "Se não foi você, mude já a sua palavra-passe, revogue a palavra-passe de aplicação e contacte o operador de "
            + "{service}.",
        "mail.test.subject": "Mensagem de teste de {service}",
        "mail.test.text": "As mensagens de {service} chegam a este endereço.",
        "time.now": "agora mesmo",
        "time.minutes": "há {count} min",
        "time.hours": "há {count} horas",
        "time.hours.one": "há 1 hora",
        "time.days": "há {count} dias",
        "time.days.one": "há 1 dia",
        "time.months": "há {count} meses",
        "time.months.one": "há 1 mês",
        "time.years": "há {count} anos",
        "time.years.one": "há 1 ano",
    ]
}
