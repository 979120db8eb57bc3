extension AccountType {
    /// The properties of this flow that several modules need.
    // No `default`, so that a new flow does not compile until its row is added here.
    package var traits: Traits {
        switch self {
        case .login:
            Traits(
                slug: "login", page: "/login", summary: "Log in. The response contains the token of the session",
                form: { PackageResources.login_json }, requiredFields: { [.username, .password] },
                token: .optional, session: .begins, hashing: .stores, triesSecret: true,
                canBeOpened: true, hidesUnusableValues: true)
        case .setup:
            Traits(
                slug: "setup", page: "/setup", summary: "Sign up",
                form: { PackageResources.setup_json }, requiredFields: { [.email, .password] },
                token: .none, session: .mayBegin, hashing: .stores, note: "welcome", canBeOpened: true,
                canNeedCode: true)
        case .forgotPassword:
            Traits(
                slug: "forgot-password", page: "/forgot-password", summary: "Ask for a recovery code by mail",
                form: { PackageResources.forgot_password_json }, requiredFields: { [.email] },
                token: .none, session: .unchanged, hashing: .none, note: "sent", canBeOpened: true)
        case .resetPassword:
            Traits(
                slug: "reset-password", page: "/reset-password", summary: "Set a new password with a recovery code",
                form: { PackageResources.reset_password_json }, requiredFields: { [.code, .password] },
                token: .none, session: .unchanged, hashing: .stores, note: "set", canBeOpened: true)
        case .changePassword:
            Traits(
                slug: "change-password", page: "/account/password", summary: "Replace the password",
                form: { PackageResources.change_password_json }, requiredFields: { [.currentPassword, .password] },
                token: .session, session: .begins, hashing: .stores, triesSecret: true, note: "changed",
                canBeOpened: true)
        case .profile:
            Traits(
                slug: "profile", page: "/account/profile", summary: "Change the given fields of the account",
                form: { PackageResources.profile_json }, requiredFields: { [.email, .code] },
                token: .session, session: .unchanged, hashing: .none, note: "saved", canBeOpened: true,
                canNeedCode: true,
                needsRecentPassword: true)
        case .deleteAccount:
            Traits(
                slug: "delete-account", page: "/account/delete", summary: "Delete the account",
                form: { PackageResources.delete_account_json }, requiredFields: { [.currentPassword] },
                token: .session, session: .ends, hashing: .verifies, triesSecret: true, note: "deleted",
                canBeOpened: true)
        case .reauthenticate:
            Traits(
                slug: "reauthenticate", page: "/account/confirm",
                summary: "Confirm the password, for requests that require a recent one",
                form: { PackageResources.reauthenticate_json }, requiredFields: { [.currentPassword] },
                token: .session, session: .begins, hashing: .stores, triesSecret: true, hidesUnusableValues: true)
        case .secondFactor:
            Traits(
                slug: "second-factor", page: "/login/code",
                summary: "Finish a login with a code. The token is the member pending of the refused login",
                form: { PackageResources.second_factor_json }, requiredFields: { [.code] },
                token: .pendingLogin, session: .begins, hashing: .none, triesSecret: true, hidesUnusableValues: true)
        case .addFactor:
            Traits(
                slug: "add-factor", page: "/account/authenticator",
                summary: "Set up an authenticator app: without a code to get its secret, then with a code",
                form: { PackageResources.add_factor_json }, requiredFields: { [.code] },
                token: .pendingLoginOrSession, session: .begins, hashing: .none, triesSecret: true,
                canNeedCode: true, needsRecentPassword: true)
        }
    }

    /// The flows that a form can link to or that a run can start with.
    public static var linkTargets: [AccountType] { allCases.filter(\.traits.canBeOpened) }

    /// One row of the table of flows.
    package struct Traits: Sendable {
        /// The name of the flow in commands, in links and in the name of the form's file: `forgot-password`.
        package let slug: String
        /// The path of the flow's page.
        package let page: String
        /// A one-line summary for the API description.
        package let summary: String
        /// The JSON of the shipped form.
        let form: @Sendable () -> [UInt8]
        /// The fields that every form of the flow must have.
        let requiredFields: @Sendable () -> [FieldKey]
        /// The token that a call must include.
        package let token: Token
        /// The effect of a successful call on the caller's session.
        package let session: SessionEffect
        /// The password hashing that a call performs.
        package let hashing: Hashing
        /// Whether a call verifies the owner's password or code. Known devices have a separate throttle for such calls.
        package var triesSecret = false
        /// The code of the sentence that the next page shows after a success; nil if it shows none.
        package var note: String?
        /// Whether a form may link to the flow and a run may start with it.
        package var canBeOpened = false
        /// Whether a success may need a code to complete. Such a flow claims an address, a username or the
        /// authenticator app of an account.
        package var canNeedCode = false
        /// Whether the owner must have entered the password recently.
        package var needsRecentPassword = false
        /// Whether an unusable value (not UTF-8, or too long) is passed on to the service, which refuses it like any
        /// wrong value. If the form refused it earlier, an attacker could see the difference.
        package var hidesUnusableValues = false
    }

    /// The token that a call includes.
    package enum Token: Sendable {
        case none
        /// The session's token, if there is one. The flow replaces that session.
        case optional
        case session
        /// The token of a login that waits for its second factor.
        case pendingLogin
        /// The token of a pending login if there is one, otherwise the session's token.
        case pendingLoginOrSession

        /// Whether the service refuses a call without a token.
        package var isRequired: Bool {
            switch self {
            case .none, .optional: false
            case .session, .pendingLogin, .pendingLoginOrSession: true
            }
        }

        /// Whether the flow requires a logged-in account.
        package var isOfSession: Bool { self == .session || self == .pendingLoginOrSession }
    }

    /// The effect of a successful call on the caller's session.
    package enum SessionEffect: Sendable {
        case unchanged
        /// A new session starts and replaces an old one.
        case begins
        /// A new session starts if the service signs the owner in immediately.
        case mayBegin
        case ends

        /// Whether a response can carry the token of a new session.
        package var canBegin: Bool { self == .begins || self == .mayBegin }
    }

    /// The password hashing of a call, possibly with a decoy.
    package enum Hashing: Sendable {
        case none
        /// Verifies a password but stores no hash.
        case verifies
        /// Stores the hash of a new password, or rehashes a correct one.
        case stores
    }
}
