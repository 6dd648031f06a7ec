import AuthHubPrimitives
import CredentialStorage
import Platform

extension AccountEnvironment {
    /// Reads the environment, the stored rules, and git's configuration.
    ///
    /// - Parameter git: Returns the label in git's configuration of the repository at a folder; nil if there is none. In the same folder,
    ///   it takes precedence over the rules.
    static func read(git: (String) async throws(Failure) -> String?) async -> Self {
        var surroundings = Self()
        do throws(Failure) {
            surroundings.rules = try AccountRules.stored()
            surroundings.variable = try variable()
            guard surroundings.variable == nil else { return surroundings }
            for folder in workingFolders {
                if isRepository(folder), let label = try await git(folder) {
                    try check(label, in: "authhub.account in git's configuration", hint: "git config authhub.account NAME")
                    surroundings.folder = FolderAccount(label: label, place: .git(folder))
                } else if let label = surroundings.rules.folders[folder] {
                    surroundings.folder = FolderAccount(label: label, place: .rules(folder))
                }
                if surroundings.folder != nil { return surroundings }
            }
        } catch {
            surroundings.problem = error
        }
        return surroundings
    }

    /// The label that a command without `--as` uses if it sends no request, without asking git; nil if a repository has to be considered.
    static func labelAtHand() -> String? {
        do throws(Failure) {
            if let label = try variable() { return label }
            let rules = try AccountRules.stored()
            for folder in workingFolders {
                guard !isRepository(folder) else { return nil }
                if let label = rules.folders[folder] { return label }
            }
            return rules.current ?? AccountOptions.defaultLabel
        } catch {
            return nil
        }
    }

    private static func variable() throws(Failure) -> String? {
        guard let label = processEnvironment("AUTHHUB_ACCOUNT"), !label.isEmpty else { return nil }
        try check(label, in: "AUTHHUB_ACCOUNT", hint: "set AUTHHUB_ACCOUNT to a label from authhub accounts")
        return label
    }

    private static func check(_ label: String, in place: String, hint: String) throws(Failure) {
        guard (try? AccountOptions.check(label)) != nil else { throw .usage("\(place) is not a valid label", hint: hint) }
    }

    /// The working folder and those above it.
    private static var workingFolders: [String] {
        guard let name = getcwd(nil, 0) else { return [] }
        defer { free(name) }
        var folders = [String(cString: name)]
        while let last = folders.last, last != "/", last.hasPrefix("/") { folders.append(FileSystem.parent(of: last)) }
        return folders
    }

    private static func isRepository(_ folder: String) -> Bool { access(folder == "/" ? "/.git" : "\(folder)/.git", F_OK) == 0 }
}
