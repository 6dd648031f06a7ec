import AuthHub
import AuthHubPrimitives
import OAuthProtocol
import Platform

/// A sign-in that succeeded.
struct CompletedSignIn: Sendable {
    /// The request, with the flow and the account that were used.
    let request: SignInRequest
    let report: AccountReport
    /// What to type next.
    let next: String
}

extension CompletedSignIn {
    /// The message for the user.
    func congratulation(_ style: Style, now: Date) -> String {
        var text = style("Signed in", .green, .bold) + " as “\(report.label)”" + (report.userWords.map { ": \($0)" } ?? "")
        if let facts = report.signedIn {
            let token = Words.token(expiresAt: facts.expiresAt, isRenewable: facts.isRenewable, now: now)
            text += token.map { "; \($0)" } ?? ""
            let missing = report.settings?.scope.map { facts.scope.missing(from: $0) } ?? []
            if !missing.isEmpty { text += "\n" + style("Not granted: \(missing.joined(separator: ", "))", .yellow) }
            if !facts.isRenewable, let command = consentCommand {
                let advice = "some servers issue one only after asking for consent (\(command))"
                text += "\n" + style("There is no refresh token; \(advice)", .yellow)
            }
        }
        return text
    }

    /// The command that asks for consent, as strict servers require for a refresh token (OpenID Connect Core 1.0 §11); nil if that would
    /// not help. It is not the default, because other servers then ask at each sign-in, and some let only administrators consent.
    private var consentCommand: String? {
        let wasAsked = request.page.signInOptions.prompt?.split(separator: " ").contains("consent") ?? false
        guard request.flow.usesRedirectURI, request.token == nil, !wasAsked, report.settings?.scope?.contains("offline_access") ?? false
        else { return nil }
        var again = request.page
        again.prompt = "consent"
        let way = (request.flow == .paste ? " --flow paste" : "") + (request.pushes ? " --par" : "")
        return "authhub login\(request.account.suffix)\(way)\(request.browser.suffix)\(again.suffix)"
    }
}
