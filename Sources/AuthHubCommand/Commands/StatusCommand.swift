import ArgumentParser
import AuthHub
import AuthHubPrimitives
import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct StatusCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Tells who is signed in where, and for how long.",
        discussion: "Asks nobody: what is stored here is what it tells. The exit status is 4 where nobody is signed in.")

    @OptionGroup var account: AccountOptions
    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        let report = try await AccountReport.read(account)
        switch console.format {
        case .json: console.put(report.json)
        case .text: console.put(report.text(console.dataStyle, now: Date()))
        }
        if report.isSignOutUnfinished {
            throw Failure(
                "sign_in_needed", .signInNeeded,
                "nobody is signed in as “\(account.label)”; the server has yet to be told of the sign-out",
                hint: "\(SignOutNotice.command(for: account.label)), or \(report.login)")
        }
        guard report.signedIn != nil else {
            throw Failure("sign_in_needed", .signInNeeded, "nobody is signed in as “\(account.label)”", hint: report.login)
        }
    }
}
