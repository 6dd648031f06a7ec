import ArgumentParser
import AuthHub
import OAuthProtocol
import Platform

struct RefreshCommand: AccountCommand, NetworkCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh", abstract: "Refresh the access token now, even if it is still valid.",
        discussion: """
            Needs a refresh token. If there is none, the command fails and says how long the access token is still valid; with -o json, it \
            also writes what "authhub status -o json" writes.
            """)

    @OptionGroup var account: AccountOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        let account = try await SignedInAccount.open(account)
        let before = try await AccountReport.read(self.account)
        if let facts = before.signedIn, !facts.isRenewable, !account.settings.signsInWithoutPage {
            if console.format == .json { console.put(before.json) }
            throw try unrefreshable(facts, of: account, now: Date())
        }
        do {
            try await account.session.refresh()
        } catch {
            throw await account.failure(error)
        }
        let report = try await AccountReport.read(self.account)
        switch console.format {
        case .json: console.put(report.json)
        case .text:
            console.say("\(console.style("Refreshed", .green)): \(Self.sentence(report.signedIn?.expiresAt, now: Date()))")
        }
    }
}

extension RefreshCommand {
    static func sentence(_ end: Date?, now: Date) -> String {
        Words.token(expiresAt: end, isRenewable: false, now: now) ?? "the server did not say when the token expires"
    }

    private func unrefreshable(
        _ facts: SessionState.SignedIn, of account: SignedInAccount, now: Date
    ) throws(Failure) -> Failure {
        let profile = try Failure.translating { try account.settings.profile() }
        let reason =
            profile.quirks.refreshTokens == .none
            ? "\(profile.displayName) issues no refresh tokens" : "\(profile.displayName) issued no refresh token for this sign-in"
        guard let end = facts.expiresAt else {
            return Failure(
                "not_offered", .failed, "\(reason), and did not say how long the access token is valid",
                hint: "\(account.login) gets another access token")
        }
        let left = end.timeIntervalSince(now)
        guard left > 0 else {
            return Failure(
                "sign_in_needed", .signInNeeded, "\(reason); the sign-in expired \(Words.expiry(end, now: now))", hint: account.login)
        }
        return Failure(
            "not_offered", .failed,
            "\(reason); the access token is valid for another \(Words.duration(left)), until \(end.formatted(.iso8601))",
            hint: "\(account.login) gets another access token")
    }
}
