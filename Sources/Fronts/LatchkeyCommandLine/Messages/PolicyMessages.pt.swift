import LatchkeyForms

extension ModuleSentences {
    static let portuguesePolicy: [String: String] = [
        "policy.title": "Política {name}",
        "policy.meets": "Esta política cumpre a NIST SP 800-63B-4 para uma palavra-passe como único fator.",
        "policy.departs": "Esta política não cumpre a NIST SP 800-63B-4. A política nist cumpre.",
        "policy.departure": "afasta-se da NIST SP 800-63B-4, secção {section}: {nist}",
        "policy.minimum_length": "Uma palavra-passe nova tem pelo menos {value} pontos de código",
        "policy.minimum_length_with_factor":
            "Com uma aplicação de autenticação, uma palavra-passe nova tem pelo menos {value} pontos de código",
        "policy.minimum_length.required": "pelo menos {required} onde a palavra-passe é o único fator",
        "policy.maximum_bytes": "Uma palavra-passe tem no máximo {value} bytes e nunca é cortada",
        "policy.common_passwords":
            "Uma palavra-passe nova não está numa lista das comuns nem deriva dos dados do dono",
        "policy.composition": "Não se exigem tipos de caracteres, e as palavras-passe não expiram com a idade",
        "policy.longest_delay": "Depois de falhas, a tentativa seguinte espera até {value}",
        "policy.failures_until_recovery": "Depois de {value} falhas, a conta tem de ser recuperada",
        "policy.failures_until_recovery.none": "As falhas nunca desativam a palavra-passe",
        "policy.failures_until_recovery.required":
            "no máximo {required} falhas seguidas antes de ser precisa uma recuperação",
        "policy.guesses_in_30_days":
            "Um atacante que nunca para tem no máximo {value} tentativas contra uma conta em 30 dias",
        "policy.session_absolute": "Uma sessão acaba ao fim de {value}",
        "policy.session_idle": "Uma sessão acaba ao fim de {value} sem uso",
        "policy.sessions_per_account": "Uma conta tem no máximo {value} sessões",
        "policy.sessions_on_disk": "Uma sessão da linha de comandos não é guardada em disco",
        "policy.sessions_on_disk.on": "Uma sessão da linha de comandos é guardada na pasta de estado do utilizador",
        "policy.sessions_on_disk.nist": "o segredo de uma sessão não deve durar mais do que o uso da máquina",
        "policy.reauthentication": "Mudanças na própria conta precisam de um início de sessão nos últimos {value}",
        "policy.recovery_code": "Um código de recuperação expira ao fim de {value}",
        "policy.operator_code": "Um código de recuperação criado por um operador expira ao fim de {value}",
        "policy.operator_password":
            "Uma palavra-passe definida por um operador só tem de ser mudada se o operador o exigir",
        "policy.operator_password.on":
            "Uma palavra-passe definida por um operador tem de ser mudada no primeiro início de sessão",
        "policy.generated_password_bits": "Uma palavra-passe gerada tem {value} bits aleatórios e tem de ser mudada",
        "policy.generated_password": "Uma palavra-passe gerada expira ao fim de {value}",
        "policy.passed": "A política {name} aceita esta palavra-passe",
        "policy.ask": "Testar uma palavra-passe",
        "policy.submit": "Testar",
    ]
}
