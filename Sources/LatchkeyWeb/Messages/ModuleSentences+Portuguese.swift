import LatchkeyForms

extension ModuleSentences {
    static let portuguese = [
        "web.account": "A sua conta",
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
        "web.no": "não",
        "web.optional": "opcional",
        "web.ready": "Já pode tentar de novo",
        "web.sessions": "Sessões ativas",
        "web.show": "Mostrar",
        "web.this_session": "Esta sessão",
        "web.used": "Último uso: {time}",
        "web.wait": "Pode tentar de novo daqui a {seconds} s",
        "web.when": "Só se {field} for {values}",
        "web.yes": "sim",
    ]
}
