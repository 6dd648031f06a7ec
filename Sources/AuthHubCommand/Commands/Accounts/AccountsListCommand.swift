import ArgumentParser
import AuthHub
import AuthHubPrimitives
import CredentialStorage
import Platform

struct AccountsListCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List all accounts with their state, server and client.",
        discussion: """
            Shows what is stored on this machine, without contacting a server. The state of an account is
              signed in    its access token is valid
              renewable    its access token has expired; the next command refreshes it
              expired      its sign-in has expired; use authhub login --as NAME
              not revoked  it is signed out here, but its tokens are not revoked yet
              unreadable   its record is damaged, or a newer authhub wrote it
              no settings  its settings are missing, so no command can use its tokens
            """)

    @OptionGroup var storage: StoreOptions
    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        let store = try ToolStore.open(storage)
        let now = Date()
        let overview = try await Failure.translating { try await AccountBook(store: store).overview(at: now) }
        switch console.format {
        case .json: console.put(.array(overview.entries.map(\.json)))
        case .text:
            tell(overview, console, now: now)
            await tellChoice(among: overview, console)
        }
        guard overview.unreadable.isEmpty else { throw overview.failure }
    }

    /// Says which account commands use here, unless there is nothing to choose.
    private func tellChoice(among overview: AccountOverview, _ console: Console) async {
        let surroundings = await AccountEnvironment.readingGit()
        if let problem = surroundings.problem { return console.warn("\(problem.message); \(problem.hint)") }
        var situation = AccountSituation(variable: surroundings.variable, folder: surroundings.folder, rules: surroundings.rules)
        situation.accounts = overview.entries.map { AccountSituation.Candidate(label: $0.label) }
        do throws(Failure) {
            let choice = try situation.choice()
            if let reason = choice.rule.words { console.say("Commands here use “\(choice.label)”, because of \(reason)") }
        } catch {
            console.warn("\(error.message); \(error.hint)")
        }
    }

    private func tell(_ overview: AccountOverview, _ console: Console, now: Date) {
        let entries = overview.entries
        if !entries.isEmpty { console.put(AccountTable(entries, now: now).rendered(console.dataStyle, width: console.columns)) }
        if !entries.isEmpty {
            console.say(Words.count(entries.count, "account"))
        } else if overview.unreadable.isEmpty {
            console.say("No accounts. Next: \(Failure.signInSomewhere())")
        }
        for entry in entries {
            guard let advice = entry.advice else { continue }
            if let trouble = entry.trouble { console.say(trouble) }
            console.say("  \(console.style("next:", .cyan)) \(advice)")
        }
    }
}
