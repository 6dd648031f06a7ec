import AuthHub
import AuthHubPrimitives
import Platform

extension SignInService {
    /// Signs in, and tells the user the result and what to type next.
    func performAndReport() async throws(Failure) {
        let notice = try StoreNotice(request.account.storage)
        guard let done = try await performIfNeeded() else { return reportOpenServer() }
        let report = done.report
        if let resource = report.settings?.resource?.text {
            await ResourceSignIn.forgetDecline(at: Set([resource, request.provider.name ?? resource]).sorted(), as: report.label)
        }
        switch console.format {
        case .json: console.put(report.json)
        case .text: console.say("\(done.congratulation(console.style, now: Date())). Next: \(done.next)")
        }
        if let text = await notice.text() { console.say(console.style(displayable(text, limit: 2000), .yellow)) }
    }

    private func reportOpenServer() {
        let url = request.provider.name ?? ""
        if console.format == .json { console.put(["signed_in": false, "url": .string(url)]) }
        console.say("\(url) requires no sign-in. Next: authhub mcp proxy \(url.shellWord)\(request.provider.transport.suffix)")
    }

    /// Returns a command that works at this provider with this scope: not every provider identifies the user, and some do so in their own
    /// format.
    func nextCommand(_ settings: AccountSettings, _ session: OAuthSession, _ report: AccountReport) async -> String {
        let whoami = "authhub whoami\(request.account.suffix)"
        let token = "authhub token\(request.account.suffix)"
        if let resource = settings.resource {
            let url = resource.text.shellWord
            let name = request.accountSuffix
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
        return "authhub request\(request.account.suffix) GET \(endpoint.shellWord)"
    }
}
