// The fields of the shipped forms, for programs that build a form in Swift. They duplicate `Forms/*.json`, which
// Latchkey itself uses. A test compares both.

/// The e-mail address of an account, as in the shipped sign-up form.
public struct EmailField: FormTextField {
    public let apiKey = FieldKey.email
    public let placeholder: String
    public let label = "E-mail"
    public let flag = "email"
    public let keyboardType = KeyboardType.emailAddress
    public let autocomplete: String? = "email"
    /// The value must be an e-mail address.
    public var validationRules: [any Rule] { [EmailRule()] }

    /// Creates the field.
    public init(placeholder: String = "E-mail") { self.placeholder = placeholder }
}

/// The name of a new account, as in the shipped sign-up form.
public struct UsernameField: FormTextField {
    public let apiKey = FieldKey.username
    public let placeholder: String
    public let label = "Username"
    public let autocomplete: String? = "username"
    /// The value must be a username that is safe for programs.
    public var validationRules: [any Rule] { [UsernameRule(), AccountNameRule()] }

    /// Creates the field.
    public init(placeholder: String = "Username") { self.placeholder = placeholder }
}

/// A new password, as in the shipped forms. Interactive front ends ask for it twice.
public struct NewPasswordField: FormTextField {
    public let apiKey = FieldKey.password
    public let placeholder: String
    public let isSecret = true
    public let confirms = true
    public let autocomplete: String? = "new-password"
    /// The value must have at least 9 code points, no control characters, and must not be common.
    public var validationRules: [any Rule] { [MinLengthRule(9), PasswordRule(), NotCommonRule()] }

    /// Creates the field.
    public init(placeholder: String = "Password") { self.placeholder = placeholder }
}

/// The current password of an account, as in the shipped form for changing it.
public struct CurrentPasswordField: FormTextField {
    public let apiKey = FieldKey.currentPassword
    public let placeholder: String
    public let isSecret = true
    public let autocomplete: String? = "current-password"

    /// Creates the field. The placeholder is also the label.
    public init(placeholder: String = "Current password") { self.placeholder = placeholder }
}

/// The code from a recovery message, as in the shipped form for resetting the password.
public struct RecoveryCodeField: FormTextField {
    public let apiKey = FieldKey.code
    public let placeholder: String
    public let label: String
    public let isSecret = true
    public let isMasked = false
    public let autocomplete: String? = "one-time-code"

    /// Creates the field.
    public init(label: String = "Code", placeholder: String = "Code from the message") {
        self.label = label
        self.placeholder = placeholder
    }
}
