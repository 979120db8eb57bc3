import LatchkeyAccounts

/// The pages of the administration: people, sessions, audit, invitations, groups, applications and settings.
enum AdminRoutes {
    static func routes(of site: ServiceSite) -> [Route] {
        [.admin("GET", "") { try await $0.overview() }] + PeopleAdmin.routes + PersonAdmin.routes + SessionsAdmin.routes
            + AuditAdmin.routes + InvitationsAdmin.routes + GroupsAdmin.routes + SettingsAdmin.routes
            + (site.service.settings.openID.isEnabled ? ApplicationsAdmin.routes : [])
    }
}
