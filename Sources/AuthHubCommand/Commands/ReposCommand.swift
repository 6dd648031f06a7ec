import ArgumentParser
import AuthHub
import AuthHubPrimitives
import GitHubAPI

struct ReposCommand: AccountCommand, NetworkCommand {
    static let configuration = CommandConfiguration(
        commandName: "repos", abstract: "List all repositories that the signed-in user can see.")

    @OptionGroup var account: AccountOptions

    @Option(help: ArgumentHelp("The number of repositories per request, at most 100.", valueName: "number"))
    var perPage = 100

    @Flag(help: "List only the repositories that you own.")
    var owned = false

    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...100).contains(perPage) else { throw ValidationError("--per-page must be 1 to 100.") }
    }

    func perform(_ console: Console) async throws(Failure) {
        let account = try await SignedInAccount.open(account)
        let gitHub = try GitHub(account)
        let list: RepositoryList
        do {
            list = try await gitHub.repositories(owned ? .owned : .all, perPage: perPage)
        } catch {
            throw await account.failure(error)
        }
        switch console.format {
        case .json: console.put(account.session.redaction.applied(to: .array(list.repositories.map(\.json))))
        case .text:
            let table = RepositoryTable(list.repositories, without: account.session.redaction)
            console.put(table.rendered(console.dataStyle, width: console.columns))
        }
        console.say(
            "\(Words.count(list.repositories.count, "repository", plural: "repositories")) on \(Words.count(list.pageCount, "page"))")
        if list.lacksPrivate {
            console.say("private repositories are not listed; to see them, sign in again: \(account.login) --scope repo,read:user")
        }
        if !list.isComplete { console.warn("there are more pages; only the first \(list.pageCount) were read") }
    }
}
