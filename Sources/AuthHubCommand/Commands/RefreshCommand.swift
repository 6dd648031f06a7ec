import ArgumentParser
import AuthHub

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct RefreshCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh", abstract: "Renews the access token now, however long it would live.")

    @OptionGroup var account: AccountOptions
    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        let account = try await SignedInAccount.open(account)
        do {
            try await account.session.refresh()
        } catch {
            throw await account.failure(error)
        }
        let report = try await AccountReport.read(self.account)
        switch console.format {
        case .json: console.put(report.json)
        case .text:
            console.say("\(console.style("Renewed", .green)): the token ends \(Words.expiry(report.signedIn?.expiresAt, now: Date()))")
        }
    }
}
