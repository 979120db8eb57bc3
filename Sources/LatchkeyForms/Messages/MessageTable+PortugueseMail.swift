extension MessageTable {
    /// What messages to owners say.
    static let portugueseMail: [String: String] = [
        // With a code
        "mail.recovery.subject": "O seu código de recuperação de {service}",
        "mail.recovery.text": "Alguém, talvez você, pediu para recuperar a sua conta de {service}. O código é",
        "mail.recovery.end":
            "Funciona uma vez, durante dez minutos. Se não foi você quem o pediu, não faça nada: sem o código nada "
            + "muda.",
        "mail.operator_code.subject": "O seu código de recuperação de {service}",
        "mail.operator_code.text":
            "Quem gere {service} criou um código para que possa definir uma nova palavra-passe. O código é",
        "mail.operator_code.end":
            "Funciona uma vez, durante um dia. Se não foi você quem o pediu, não faça nada: sem o código nada muda.",
        "mail.sign_up.subject": "O seu código de registo em {service}",
        "mail.sign_up.text": "Alguém, talvez você, criou uma conta de {service} com este endereço. O código é",
        "mail.sign_up.end":
            "Funciona uma vez, durante dez minutos. Se não foi você quem o pediu, não faça nada: sem o código nada "
            + "muda.",
        "mail.confirmation.subject": "O seu código de confirmação de {service}",
        "mail.confirmation.text": "Alguém, talvez você, quer usar este endereço na sua conta de {service}. O código é",
        "mail.confirmation.end":
            "Funciona uma vez, durante dez minutos. Se não foi você quem o pediu, não faça nada: sem o código nada "
            + "muda.",

        // Of what has happened
        "mail.email_changed.subject": "O endereço da sua conta de {service} foi mudado",
        "mail.email_changed.text":
            "A sua conta de {service} tem agora outro endereço de e-mail. Esta mensagem vai para o antigo e para o "
            + "novo.",
        "mail.email_changed.end": "Se não foi você, avise quem gere {service}.",
        "mail.account_deleted.subject": "A sua conta de {service} foi eliminada",
        "mail.account_deleted.text":
            "A sua conta de {service} e tudo o que dela se guardava foi eliminado, como o seu dono pediu com a "
            + "palavra-passe.",
        "mail.account_deleted.end": "Se não foi você, avise quem gere {service}.",
        "mail.password_changed.subject": "A palavra-passe da sua conta de {service} foi mudada",
        "mail.password_changed.text":
            "A palavra-passe da sua conta de {service} foi mudada, e todas as suas sessões foram terminadas.",
        "mail.password_changed.end": "Se não foi você, recupere já a conta e avise quem gere {service}.",
        "mail.password_reset.subject": "A palavra-passe da sua conta de {service} foi mudada",
        "mail.password_reset.text":
            "A palavra-passe da sua conta de {service} foi redefinida com um código de recuperação, e todas as suas "
            + "sessões foram terminadas.",
        "mail.password_reset.end": "Se não foi você, recupere já a conta e avise quem gere {service}.",
        "mail.password_set.subject": "A palavra-passe da sua conta de {service} foi mudada",
        "mail.password_set.text":
            "A palavra-passe da sua conta de {service} foi definida por quem gere {service}, e todas as suas sessões "
            + "foram terminadas.",
        "mail.password_set.end": "Se não foi você, recupere já a conta e avise quem gere {service}.",
        "mail.test.subject": "Uma mensagem de teste de {service}",
        "mail.test.text": "As mensagens de {service} chegam aqui.",
    ]
}
