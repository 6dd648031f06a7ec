import AuthHubPrimitives
import Platform

/// The checks of programs: this tool, and git with its credential helper.
struct ProgramChecks: Sendable {
    /// The folders of `PATH`.
    let folders: [String]
    /// The path of this program; nil if unknown.
    let own: String?
    /// Returns the version of git and its entries for credential helpers, as `git config --get-regexp` prints them.
    var git: @Sendable () async throws(Failure) -> (version: String, entries: [String])

    var program: Finding {
        guard let own else { return .ok("program", "authhub \(ToolVersion.text)") }
        let folder = own.split(separator: "/").dropLast().reduce(into: "") { $0 += "/" + $1 }
        guard let found = find("authhub") else {
            return .warn(
                "program", "authhub \(ToolVersion.text) is in \(folder), which is not in PATH",
                next: "export PATH=\"$PATH\":\(folder.shellWord)")
        }
        guard Self.resolved(found) == Self.resolved(own) else {
            return .warn(
                "program", "this is authhub \(ToolVersion.text) in \(folder), but PATH leads to another one, \(found)",
                next: "\(found.shellWord) --version")
        }
        return .ok("program", "authhub \(ToolVersion.text), \(found)")
    }

    func gitFinding() async -> Finding {
        guard find("git") != nil else { return .ok("git", "git is not installed") }
        let version: String
        let entries: [String]
        do throws(Failure) {
            (version, entries) = try await git()
        } catch {
            return .fail("git", error.message, next: "git --version")
        }
        let helpers = Set(entries.compactMap(Self.helper))
        guard !helpers.isEmpty else { return .ok("git", "\(version) does not ask this tool; authhub setup git shows how") }
        for helper in helpers.sorted() {
            let isThere = helper.hasPrefix("/") ? access(helper, X_OK) == 0 : find(helper) != nil
            guard isThere else {
                let place = helper.hasPrefix("/") ? helper : "\(helper), which is not in PATH"
                return .fail("git", "git runs \(place), and there is no such program", next: "authhub setup git --write")
            }
        }
        return .ok("git", "\(version) asks this tool")
    }

    /// Returns the program that git runs for an entry of this tool; nil for other entries, and for shell commands.
    private static func helper(_ entry: String) -> String? {
        guard let space = entry.firstIndex(of: " ") else { return nil }
        let value = entry[entry.index(after: space)...]
        if value == "authhub" { return "git-credential-authhub" }
        guard value.hasPrefix("/"), let end = value.firstRange(of: " helper git") else { return nil }
        return String(value[..<end.lowerBound])
    }

    private func find(_ name: String) -> String? {
        folders.lazy.map { "\($0)/\(name)" }.first { path in
            var information = stat()
            return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
        }
    }

    private static func resolved(_ path: String) -> String { GitConfigurationFile.resolved(path) }
}

extension ProgramChecks {
    /// The checks of this process.
    init(_ environment: [String: String]) {
        let path = environment["PATH"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/bin:/usr/bin:/bin"
        self.init(
            folders: path.split(separator: ":").map(String.init), own: try? OwnProgram.path(),
            git: { () async throws(Failure) in
                let version = try await GitProgram.run("--version").lines.first ?? "git"
                return (version, try await GitProgram.run("config", "--global", "--get-regexp", #"^credential\..*helper$"#).lines)
            })
    }
}
