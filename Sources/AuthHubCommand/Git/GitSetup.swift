import AuthHubPrimitives
import CredentialStorage

/// The entries of git's global configuration that make this tool the credential helper of some servers.
struct GitSetup: Sendable {
    let origins: [Origin]
    /// The command that git runs.
    let helper: String

    /// Returns the entries, in order. The empty value makes git ignore helpers that are configured for all servers: git would also give
    /// them the tokens, and they could store them elsewhere.
    func entries(for origin: Origin) -> [(key: String, value: String)] {
        [(Self.key(for: origin), ""), (Self.key(for: origin), helper)]
    }

    private static func key(for origin: Origin) -> String { "credential.\(origin).helper" }

    /// The commands that make the same change.
    var commands: [String] {
        origins.flatMap(entries).map { "git config --global --add \($0.key.shellWord) \($0.value.shellWord)" }
    }
}

extension GitSetup {
    /// Adds the entries of the servers that do not have them yet, and records what was added.
    ///
    /// - Returns: The servers whose entries were added.
    func write() async throws(Failure) -> [Origin] {
        var written: [Origin] = []
        try OutputFile.check(
            GitConfigurationFile.path, hint: "correct GIT_CONFIG_GLOBAL, or write the entries of authhub setup git yourself")
        let lock = try await GitSetupRecord.lock()
        defer { lock.release() }
        for origin in origins {
            let configured = try await GitProgram.run("config", "--global", "--get-all", Self.key(for: origin))
            guard configured.lines.suffix(2) != ["", helper] else { continue }
            let path = GitConfigurationFile.path
            let before = try GitConfigurationFile.contents(of: path)
            var isComplete = true
            for entry in entries(for: origin) where isComplete {
                isComplete = try await GitProgram.run("config", "--global", "--add", entry.key, entry.value).isSuccess
            }
            if let after = try GitConfigurationFile.contents(of: path), after != before ?? [] {
                guard let insertion = GitInsertion(file: GitConfigurationFile.resolved(path), from: before, to: after),
                    insertion.hasOnlyHelpers
                else {
                    throw Failure(
                        "git_failed", .failed, "another program changed \(path) at the same time, so --undo cannot take the entry back",
                        hint: "to take it back, delete the lines for \(origin) from that file")
                }
                try GitSetupRecord.change { $0.append(insertion) }
            }
            guard isComplete else {
                throw Failure("git_failed", .failed, "git could not change \(path)", hint: "check the permissions of \(path)")
            }
            written.append(origin)
        }
        return written
    }

    /// Removes what ``write()`` has added, even if other lines were changed in the meantime.
    ///
    /// - Returns: The files that were changed.
    /// - Throws: ``Failure`` if some lines cannot be removed, after all others were removed.
    static func undo() async throws(Failure) -> [String] {
        let lock = try await GitSetupRecord.lock()
        defer { lock.release() }
        var files: [String] = []
        var problem: Failure?
        var hasRemoved = true
        // Lines that cannot be told from those of another server can be, once these are removed.
        while hasRemoved {
            (problem, hasRemoved) = (nil, false)
            for (index, insertion) in try GitSetupRecord.read().enumerated().reversed() {
                do {
                    try GitConfigurationFile.remove(insertion)
                } catch {
                    problem = problem ?? error
                    continue
                }
                try GitSetupRecord.change { $0.remove(at: index) }
                hasRemoved = true
                if !files.contains(insertion.file) { files.append(insertion.file) }
            }
        }
        if let problem { throw problem }
        return files
    }
}
