/// The descriptions in `Forms/`, which the build puts into the binary.
enum EmbeddedForms {
    static func source(for type: AccountType) -> FormCatalogue.Source {
        switch type {
        case .login: FormCatalogue.Source(file: "login.json", bytes: PackageResources.login_json)
        case .setup: FormCatalogue.Source(file: "setup.json", bytes: PackageResources.setup_json)
        case .forgotPassword:
            FormCatalogue.Source(file: "forgot-password.json", bytes: PackageResources.forgot_password_json)
        case .resetPassword:
            FormCatalogue.Source(file: "reset-password.json", bytes: PackageResources.reset_password_json)
        case .changePassword:
            FormCatalogue.Source(file: "change-password.json", bytes: PackageResources.change_password_json)
        case .profile: FormCatalogue.Source(file: "profile.json", bytes: PackageResources.profile_json)
        case .deleteAccount:
            FormCatalogue.Source(file: "delete-account.json", bytes: PackageResources.delete_account_json)
        }
    }
}
