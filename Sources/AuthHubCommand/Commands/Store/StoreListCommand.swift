import ArgumentParser
import AuthHubPrimitives
import CredentialStorage
import PlatformCredentialStorage

struct StoreListCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the records of every store on this machine, including unreadable ones.",
        discussion: """
            Besides tokens, stores have records of account settings, registered clients and pending sign-ins. Stores \
            that you would have to unlock are named but not opened. With --store, only that store is listed.
            """)

    @OptionGroup var storage: StoreOptions
    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        let lists = try await StoreContents.all(storage)
        switch console.format {
        case .json: console.put(.array(lists.map(\.json)))
        case .text: tell(lists, console)
        }
        let unreadable = lists.flatMap(\.unreadable)
        guard let first = unreadable.first else {
            // An empty list does not mean that the store is empty.
            if let problem = lists.first(where: \.isInUse)?.problem { throw Failure(problem) }
            return
        }
        throw Failure(
            "store_failed", .storeFailed, "\(Words.count(unreadable.count, "record")) cannot be read: \(first.explanation)",
            hint: unreadable.contains { $0.code == .corrupt }
                ? "authhub accounts remove --damaged, then sign in again" : "authhub store info shows the state of each store")
    }

    private func tell(_ lists: [StoreContents], _ console: Console) {
        var table = Table(columns: [
            .init(title: "STORE", tints: [.bold]), .init(title: "RECORD OF"),
            .init(title: "SERVER", minimumWidth: 16, keepsEnd: true, tints: [.cyan]),
            .init(title: "CLIENT"), .init(title: "LABEL"),
        ])
        for list in lists {
            table.rows += list.accounts.map { account in
                [list.kind.name, account.recordKind, account.server, account.clientID, account.label].map { displayable($0, limit: 200) }
            }
        }
        if !table.rows.isEmpty { console.put(table.rendered(console.dataStyle, width: console.columns)) }
        for list in lists {
            if let problem = list.problem {
                console.say("\(list.kind): \(problem.code.description.codeInWords): \(displayable(problem.explanation, limit: 2000))")
            }
        }
        let isWhole = lists.allSatisfy { ($0.problem == nil || !$0.isInUse) && $0.unreadable.isEmpty }
        if isWhole || !table.rows.isEmpty { console.say(table.rows.isEmpty ? "No records" : Words.count(table.rows.count, "record")) }
    }
}
