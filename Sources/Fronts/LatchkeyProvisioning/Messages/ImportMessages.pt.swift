import LatchkeyForms

extension ModuleSentences {
    static let portugueseProvisioning: [String: String] = [
        "rule.not_id": "{field}: tem de ser um UUID, como 3b241101-e2bb-4255-8caf-4136c566a962",
        "rule.not_time": "{field}: tem de ser uma hora como 2026-01-02T03:04:05Z ou uma data como 2026-01-02",
        "rule.not_totp_secret": "{field}: tem de ser 20 bytes em base 32: 32 letras e algarismos, sem espaços",
        "rule.duplicate": "{field}: já é usado na linha {line}",
        "rule.json_end": "{field}: acaba a meio de um valor JSON",
        "rule.json_unexpected": "{field}: a partir daqui não é JSON válido",
        "rule.json_comment": "{field}: tem um comentário, que o JSON não permite",
        "rule.json_surrogate": "{field}: tem um substituto isolado (\\ud800 a \\udfff), que não é um carácter",
        "rule.json_depth": "{field}: tem mais de {maximum} níveis",
        "rule.json_after_end": "{field}: continua depois do fim do seu objeto JSON",
        "rule.json_object": "{field}: tem de ser um só objeto JSON",
        "rule.accounts_missing":
            "o ficheiro tem de ser um objeto JSON cuja única chave é \"accounts\", com uma lista como valor",
        "rule.password_plain":
            "{field}: não é aceite neste ficheiro. Use password_hash, ou password_file com um caminho",
        "rule.column_twice": "{field}: tem uma coluna repetida",
        "rule.column_unknown": "{field}: tem uma coluna desconhecida. Colunas conhecidas: {known}",
        "rule.column_missing": "{field}: não tem a coluna \"{name}\"",
        "rule.csv_quote": "{field}: tem aspas fora do lugar. Dentro de aspas, escreva-as a dobrar",
        "rule.csv_open": "{field}: tem aspas que abrem e não fecham",
        "rule.csv_cells": "{field}: tem {count} células, mas o cabeçalho tem {expected}",
        "rule.csv_header": "{field}: tem de ser um cabeçalho com os nomes das colunas",
    ]
}
