import ArgumentParser
import AuthHub
import AuthHubPrimitives
import CredentialStorage

struct AccountsBindCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "bind",
        abstract: "Use an account for a server or a folder.",
        discussion: """
            With --host, "authhub request" uses the account for URLs of the server, or for those under a path. The token is still sent only \
            to the servers of the account.

            With --folder, commands use the account in the folder and below it. In a git repository, you can use git's configuration \
            instead, which takes precedence: git config authhub.account NAME

            To undo it, use "authhub accounts unbind" with the same options.
            """)

    @Argument(help: ArgumentHelp("The account's label.", valueName: "name"), completion: .accounts)
    var label: String

    @OptionGroup var target: BindingTarget
    @OptionGroup var storage: StoreOptions
    @OptionGroup var output: OutputOptions

    func validate() throws { try AccountOptions.check(label) }

    func perform(_ console: Console) async throws(Failure) {
        try await AccountBook.require(label, in: storage)
        if let folder = try target.checkedFolder(exists: true) {
            try await AccountRules.change { $0.folders[folder] = label }
            return tell(
                console, ["account": .string(label), "folder": .string(folder)], "Commands in \(folder) and below it now use “\(label)”")
        }
        let (origin, path) = try target.address()
        let binding = AccountRules.Binding(origin: origin, path: path, account: label)
        try await AccountRules.change { $0.bind(binding) }
        tell(
            console, ["account": .string(label), "origin": .string(origin.description), "path": .string(path)],
            "Requests to \(binding.address) now use “\(label)”")
        let settings = try await Failure.translating { try await AccountBook(store: try ToolStore.open(storage)).settings(of: label) }
        if settings?.tokenOrigins.contains(origin) == false, console.format == .text {
            console.warn("“\(label)” does not send its token to \(origin); authhub request needs --send-token-to for that")
        }
    }

    private func tell(_ console: Console, _ json: JSONValue, _ text: String) {
        switch console.format {
        case .json: console.put(json)
        case .text: console.say(text)
        }
    }
}

struct AccountsUnbindCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "unbind", abstract: "Undo \"authhub accounts bind\" for a server or a folder.")

    @OptionGroup var target: BindingTarget
    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        let (place, account): (String, String?)
        if let folder = try target.checkedFolder(exists: false) {
            (place, account) = (folder, try await AccountRules.change { $0.folders.removeValue(forKey: folder) })
        } else {
            let (origin, path) = try target.address()
            (place, account) = ("\(origin)\(path)", try await AccountRules.change { $0.unbind(origin, path: path) }?.account)
        }
        switch console.format {
        case .json: console.put(["account": account.map(JSONValue.string) ?? .null])
        case .text:
            console.say(account.map { "\(place) is no longer bound to “\($0)”" } ?? "\(place) was not bound to an account")
        }
    }
}

/// The options for the server or the folder that an account is bound to.
struct BindingTarget: ParsableArguments {
    @Option(help: ArgumentHelp("A server: a host, optionally with a port.", valueName: "host"))
    var host: String?

    @Option(help: ArgumentHelp("The beginning of the paths at the server, such as /orgs/example.", valueName: "path"))
    var path: String?

    @Option(help: ArgumentHelp("A folder.", valueName: "folder"), completion: .directory)
    var folder: String?

    func validate() throws {
        guard (host == nil) != (folder == nil) else { throw ValidationError("Use either --host or --folder.") }
        guard path == nil || host != nil else { throw ValidationError("--path needs --host.") }
        if let path, RequestTarget(path)?.path != path || path.contains("?") {
            throw ValidationError("--path must begin with a slash and have no query: /orgs/example.")
        }
    }

    /// The origin and the beginning of the path, without a slash at its end.
    func address() throws(Failure) -> (origin: Origin, path: String) {
        let origin = try Origin(host: host ?? "")
        var path = path ?? ""
        while path.hasSuffix("/") { path.removeLast() }
        return (origin, path)
    }

    /// The absolute path of the folder, without symbolic links; nil if there is none. A folder that was removed can be unbound.
    func checkedFolder(exists: Bool) throws(Failure) -> String? {
        guard var folder = folder.map(InputFile.absolute) else { return nil }
        while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
        guard !exists || InputFile.isFolder(folder) else { throw .usage("\(folder) is not a folder", hint: "name an existing folder") }
        guard !InputFile.isFolder(folder) else { return GitConfigurationFile.resolved(folder) }
        let parent = GitConfigurationFile.resolved(FileSystem.parent(of: folder))
        return (parent == "/" ? "" : parent) + "/" + (folder.split(separator: "/").last ?? "")
    }
}
