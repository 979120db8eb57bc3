import LatchkeyForms

extension ModuleSentences {
    static let portuguese = [
        "web.account": "A sua conta",
        "web.add_factor": "Configurar uma aplicação de autenticação",
        "web.add_factor_explained":
            "Precisa de uma aplicação de códigos no telemóvel ou computador. A página seguinte mostra um código QR para ela.",
        "web.back": "Voltar à sua conta",
        "web.change_password": "Mudar a palavra-passe",
        "web.delete_account": "Eliminar a conta",
        "web.delete_explained": "Elimina a conta e tudo o que está guardado para ela. Não pode ser desfeito.",
        "web.edit_profile": "Editar o perfil",
        "web.end": "Terminar",
        "web.end_of": "Terminar a sessão de {device}",
        "web.end_others": "Terminar todas as outras sessões",
        "web.hide": "Ocultar",
        "web.links": "Mais",
        "web.log_out": "Sair",
        "web.new_codes": "Novos códigos guardados",
        "web.no": "não",
        "web.open_app": "Abrir a aplicação de autenticação neste dispositivo",
        "web.optional": "opcional",
        "web.passkey_add": "Juntar uma chave de acesso",
        "web.passkey_failed": "Não funcionou. Tente de novo ou de outra forma",
        "web.passkey_login": "Entrar com uma chave de acesso",
        "web.passkey_remove": "Remover a chave de acesso {name}",
        "web.passkey_use": "Usar uma chave de acesso",
        "web.passkeys": "Chaves de acesso",
        "web.passkeys_explained":
            "Uma chave de acesso inicia sessão com a impressão digital, o rosto ou um PIN, sem palavra-passe.",
        "web.qr_code": "Código QR para a sua aplicação de autenticação",
        "web.ready": "Já pode tentar de novo",
        "web.remove": "Remover",
        "web.remove_factor": "Remover a aplicação de autenticação",
        "web.saved_codes": "Guarde estes códigos",
        "web.saved_codes_done": "Já os guardei",
        "web.saved_codes_explained":
            "Cada código serve uma vez, em vez da aplicação ou da chave de acesso. Guarde-os longe do dispositivo. Não voltam a ser mostrados.",
        "web.second_factor": "Segundo fator",
        "web.second_factor_explained":
            "Com uma aplicação de autenticação, quem descobrir a palavra-passe ainda não consegue entrar.",
        "web.sessions": "Sessões ativas",
        "web.show": "Mostrar",
        "web.start_again": "Mostrar um novo código QR",
        "web.this_session": "Esta sessão",
        "web.type_key": "Ou escreva esta chave na aplicação:",
        "web.used": "Último uso: {time}",
        "web.wait": "Pode tentar de novo daqui a {seconds} s",
        "web.when": "Só se {field} for {values}",
        "web.yes": "sim",
    ]
}
