extension MessageTable {
    /// What is told of the policy in force.
    static let portuguesePolicy: [String: String] = [
        "policy.title": "Política {name}",
        "policy.meets": "Cumpre a NIST SP 800-63B-4 para uma palavra-passe que é o único fator.",
        "policy.departs": "Não cumpre a NIST SP 800-63B-4: a política nist cumpre.",
        "policy.departure": "afasta-se da NIST SP 800-63B-4, secção {section}: {nist}",
        "policy.minimum_length": "Uma palavra-passe nova tem pelo menos {value} pontos de código",
        "policy.minimum_length.nist": "pelo menos 15 onde a palavra-passe é o único fator",
        "policy.maximum_bytes": "Uma palavra-passe tem no máximo {value} bytes; nunca é cortada",
        "policy.common_passwords":
            "Uma palavra-passe nova não está em nenhuma lista das comuns, nem é feita do que se sabe do seu dono",
        "policy.composition": "Não se pede nenhum tipo de caracteres, e nenhuma palavra-passe expira pela idade",
        "policy.longest_delay": "Depois de falhas, o início de sessão espera até {value}",
        "policy.failures_until_recovery":
            "Depois de {value} falhas nenhuma palavra-passe abre a conta até esta ser recuperada",
        "policy.failures_until_recovery.none": "Por muitas falhas que haja, a palavra-passe nunca é desativada",
        "policy.failures_until_recovery.nist": "no máximo 100 falhas seguidas, e depois uma recuperação",
        "policy.guesses_in_30_days": "Quem nunca para tem {value} tentativas contra uma conta em 30 dias",
        "policy.session_absolute": "Uma sessão acaba ao fim de {value}",
        "policy.session_idle": "Uma sessão acaba quando não é usada durante {value}",
        "policy.sessions_per_account": "Uma conta tem no máximo {value} sessões",
        "policy.sessions_on_disk": "A sessão de um utilizador desta máquina não é guardada em nenhum disco",
        "policy.sessions_on_disk.on": "A sessão de um utilizador desta máquina é guardada na sua pasta de estado",
        "policy.sessions_on_disk.nist": "o segredo de uma sessão não deve durar mais do que o uso da máquina",
        "policy.reauthentication":
            "O que se faz à própria conta pede uma palavra-passe dada nos últimos {value}",
        "policy.recovery_code": "Um código de recuperação dura {value}",
        "policy.operator_code": "Um código de recuperação feito por um operador dura {value}",
        "policy.operator_password": "Uma palavra-passe dada por um operador tem de ser mudada onde o operador o disser",
        "policy.operator_password.on":
            "Uma palavra-passe dada por um operador tem de ser mudada no primeiro início de sessão",
        "policy.generated_password_bits": "Uma palavra-passe gerada tem {value} bits aleatórios, e tem de ser mudada",
        "policy.generated_password": "Uma palavra-passe gerada abre a conta durante {value}",
        "policy.days": "{count} dias",
        "policy.hours": "{count} horas",
        "policy.minutes": "{count} minutos",
        "policy.seconds": "{count} s",
        "policy.passed": "A política {name} aceita esta palavra-passe",
        "policy.ask": "Experimentar uma palavra-passe",
        "policy.submit": "Experimentar",
    ]
}
