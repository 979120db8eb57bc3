import LatchkeyForms

extension ModuleSentences {
    static let portugueseRemote: [String: String] = [
        "origin.malformed":
            "O servidor tem de ser https://HOST, http://localhost:PORTA ou unix:/CAMINHO, sem caminho depois do host",
        "origin.unencrypted": "http só é permitido para esta máquina: use https://{host}",
        "origin.socket_path": "O caminho do socket tem de ser absoluto e ter no máximo 107 bytes",
        "service.unreachable": "O servidor não está acessível, ou fechou a ligação",
        "service.certificate": "O certificado do servidor não é válido ou não é de confiança. Nada foi enviado",
        "service.unencrypted": "O servidor não oferece uma cifra que o Latchkey aceite. Nada foi enviado",
        "service.timed_out": "O servidor não respondeu a tempo. Verifique se a alteração foi feita",
        "service.too_large": "A resposta do servidor é maior do que o Latchkey aceita",
        "service.exhausted": "Não há memória ou threads para o pedido",
        "service.failed": "O pedido falhou (libcurl {code})",
        "service.answer": "A resposta do servidor não serve (HTTP {status}). É o Latchkey, e desta versão?",
        "service.values_too_large": "Os valores são grandes demais para um pedido",
        "smtp.not_an_object": "\"smtp\" tem de ser um objeto com \"url\" e \"from\"",
        "smtp.unknown_member": "\"smtp\" não tem o membro \"{key}\"",
        "smtp.missing": "\"smtp\" precisa de \"{key}\"",
        "smtp.not_text": "\"{key}\" de \"smtp\" tem de ser um texto",
        "smtp.url": "\"url\" de \"smtp\" tem de ser smtps://HOST ou smtp://HOST, com ou sem porta",
        "smtp.sender": "\"from\" de \"smtp\" tem de ser um endereço, como Desk <desk@example.org>",
        "smtp.hello": "\"hello\" de \"smtp\" tem de ser um domínio, ou um endereço como [192.0.2.1]",
        "smtp.plain":
            "\"tls\" de \"smtp\" só pode ser \"none\", com smtp:// e um servidor nesta máquina, sem início de sessão",
        "smtp.user": "\"user\" de \"smtp\" está vazio, é longo demais ou tem caracteres de controlo",
        "smtp.password": "A palavra-passe do servidor de correio está vazia, é longa demais ou tem várias linhas",
        "smtp.relative_path": "\"password_file\" de \"smtp\" tem de ser um caminho absoluto: {path}",
        "smtp.file_missing": "{path} não existe",
        "smtp.file_exposed": "{path} tem de ser um ficheiro a que só você tem acesso: chmod 600 {path}",
        "smtp.file_unreadable": "Não se pode ler {path}, ou não é um ficheiro normal",
    ]
}
