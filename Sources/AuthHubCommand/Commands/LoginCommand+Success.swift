import AuthHub
import AuthHubPrimitives
import OAuthProtocol
import Platform

/// The message of a sign-in that succeeded.
extension LoginCommand {
    func congratulation(_ report: AccountReport, _ style: Style, now: Date) -> String {
        var text = style("Signed in", .green, .bold) + " as “\(report.label)”" + (report.userWords.map { ": \($0)" } ?? "")
        if let facts = report.signedIn {
            let token = Words.token(expiresAt: facts.expiresAt, isRenewable: facts.isRenewable, now: now)
            text += token.map { "; \($0)" } ?? ""
            let missing = report.settings?.scope.map { facts.scope.missing(from: $0) } ?? []
            if !missing.isEmpty { text += "\n" + style("Not granted: \(missing.joined(separator: ", "))", .yellow) }
            if !facts.isRenewable, let command = consentCommand(report) {
                let advice = "some servers issue one only after asking for consent (\(command))"
                text += "\n" + style("There is no refresh token; \(advice)", .yellow)
            }
        }
        return text
    }

    /// The command that asks for consent, as strict servers require for a refresh token (OpenID Connect Core 1.0 §11); nil if that would
    /// not help. It is not the default, because other servers then ask at each sign-in, and some let only administrators consent.
    private func consentCommand(_ report: AccountReport) -> String? {
        let wasAsked = authorization.signInOptions.prompt?.split(separator: " ").contains("consent") ?? false
        guard flow.flow.usesRedirectURI, brought.typed == nil, !wasAsked, report.settings?.scope?.contains("offline_access") ?? false else {
            return nil
        }
        var again = authorization
        again.prompt = "consent"
        let way = (flow.flow == .paste ? " --flow paste" : "") + (flow.pushes ? " --par" : "")
        return "authhub login\(account.suffix)\(way)\(browser.suffix)\(again.suffix)"
    }

    /// Returns a command that works at this provider with this scope: not every provider identifies the user, and some do so in their own
    /// format.
    func nextCommand(_ settings: AccountSettings, _ session: OAuthSession, _ report: AccountReport) async -> String {
        let whoami = "authhub whoami\(account.suffix)"
        let token = "authhub token\(account.suffix)"
        if let resource = settings.resource {
            let url = resource.text.shellWord
            let name = account.chosenSuffix
            let proxy = "authhub mcp proxy \(url)\(settings.loopbackSuffix)\(name)"
            return "authhub request \(url)\(name); hosts that only start local MCP servers use: \(proxy)"
        }
        guard !settings.signsInWithoutPage else { return token }
        if settings.gitHubAPI != nil || settings.aniListAPI != nil || report.identity != nil { return whoami }
        guard let profile = try? await session.provider(), let endpoint = profile.accountEndpoint else { return token }
        // The provider's own endpoint has its own response format, which whoami cannot read.
        if endpoint == profile.endpoints?.userInfo { return report.signedIn?.scope.contains("openid") ?? false ? whoami : token }
        // The default scope includes access to that endpoint; any other may not.
        if let scope = settings.scope {
            guard !profile.defaultScope.isEmpty, scope.missing(from: profile.defaultScope).isEmpty else { return token }
        }
        return "authhub request\(account.suffix) GET \(endpoint.shellWord)"
    }
}
