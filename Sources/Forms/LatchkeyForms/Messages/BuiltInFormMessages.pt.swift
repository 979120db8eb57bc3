extension ModuleSentences {
    /// The strings of the built-in forms.
    static let portugueseBuiltInForms: [String: String] = [
        "form.login.title": "Iniciar sessão",
        "form.login.submit": "Iniciar sessão",
        "form.login.username.label": "Nome de utilizador",
        "form.login.username.placeholder": "Nome de utilizador ou endereço de e-mail",
        "form.login.password.label": "Palavra-passe",
        "form.login.password.placeholder": "Palavra-passe",

        "form.setup.title": "Crie a sua conta",
        "form.setup.submit": "Criar conta",
        "form.setup.email_field.label": "E-mail",
        "form.setup.email_field.placeholder": "Endereço de e-mail",
        "form.setup.username.label": "Nome de utilizador",
        "form.setup.username.placeholder": "Nome de utilizador",
        "form.setup.password.label": "Palavra-passe",
        "form.setup.password.placeholder": "Palavra-passe",

        "form.forgotPassword.title": "Esqueceu-se da palavra-passe?",
        "form.forgotPassword.submit": "Enviar um código",
        "form.forgotPassword.email_field.label": "E-mail",
        "form.forgotPassword.email_field.placeholder": "Endereço de e-mail",

        "form.resetPassword.title": "Escolha uma nova palavra-passe",
        "form.resetPassword.submit": "Definir a palavra-passe",
        "form.resetPassword.code.label": "Código",
        "form.resetPassword.code.placeholder": "Código da mensagem",
        "form.resetPassword.password.label": "Palavra-passe",
        "form.resetPassword.password.placeholder": "Nova palavra-passe",

        "form.changePassword.title": "Mude a sua palavra-passe",
        "form.changePassword.submit": "Mudar a palavra-passe",
        "form.changePassword.current_password.label": "Palavra-passe atual",
        "form.changePassword.current_password.placeholder": "Palavra-passe atual",
        "form.changePassword.password.label": "Nova palavra-passe",
        "form.changePassword.password.placeholder": "Nova palavra-passe",

        "form.profile.title": "A sua conta",
        "form.profile.submit": "Guardar",
        "form.profile.email_field.label": "E-mail",
        "form.profile.email_field.placeholder": "Endereço de e-mail",
        "form.profile.username.label": "Nome de utilizador",
        "form.profile.username.placeholder": "Nome de utilizador",
        "form.profile.code.label": "Código",
        "form.profile.code.placeholder": "Código enviado para o novo endereço",

        "form.deleteAccount.title": "Elimine a sua conta e todos os seus dados",
        "form.deleteAccount.submit": "Eliminar definitivamente",
        "form.deleteAccount.current_password.label": "Palavra-passe",
        "form.deleteAccount.current_password.placeholder": "Palavra-passe",

        "form.reauthenticate.title": "Introduza outra vez a sua palavra-passe",
        "form.reauthenticate.submit": "Confirmar",
        "form.reauthenticate.current_password.label": "Palavra-passe",
        "form.reauthenticate.current_password.placeholder": "Palavra-passe",

        "form.secondFactor.title": "Introduza um código",
        "form.secondFactor.submit": "Continuar",
        "form.secondFactor.code.label": "Código",
        "form.secondFactor.code.help":
            "Os 6 algarismos que a aplicação de autenticação mostra agora, ou um código guardado",
        "form.secondFactor.code.placeholder": "6 algarismos da aplicação, ou um código guardado",

        "form.addFactor.title": "Configure uma aplicação de autenticação",
        "form.addFactor.submit": "Continuar",
        "form.addFactor.code.label": "Código",
        "form.addFactor.code.help": "Os 6 algarismos que a aplicação de autenticação mostra agora",
        "form.addFactor.code.placeholder": "6 algarismos da aplicação",
    ]
}
