import ArgumentParser
import AuthHub
import AuthHubPrimitives
import OAuthProtocol
import Platform

struct StatusCommand: AccountCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show who is signed in, where and for how long.",
        discussion: "Shows what is stored on this machine, without contacting a server. The exit status is 4 if no one is signed in.")

    @OptionGroup var account: AccountOptions
    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        let report = try await AccountReport.read(account)
        switch console.format {
        case .json: console.put(report.json)
        case .text: console.put(report.text(console.dataStyle, now: Date()))
        }
        if report.isSignOutUnfinished {
            throw .notSignedIn(
                as: account.label, "; the server has not revoked the tokens yet",
                hint: "\(SignOutNotice.command(for: account.label)), or \(report.login)")
        }
        guard report.signedIn != nil else {
            throw .notSignedIn(as: account.label, hint: report.login)
        }
    }
}
