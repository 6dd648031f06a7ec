import ArgumentParser
import AuthHub
import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol
import Platform

struct DoctorCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check what sign-ins and requests need on this machine.",
        discussion: """
            Checks the program, git's helper, the browser, the display, the message bus, the keyring, the store and its key, the proxy, the \
            certificate authorities and the loopback port. Asks the servers of your accounts for the time, without a token, and no other \
            servers except those that you name. Never asks you to unlock anything. Writes a temporary record to the store if one is chosen, \
            and changes nothing else.

            The exit status is 1 if a check fails; warnings do not count.
            """)

    @Argument(help: ArgumentHelp("Another server whose clock to compare: an https URL (http on this machine only).", valueName: "url"))
    var server: [String] = []

    @OptionGroup var storage: StoreOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    private static let serverLimit = 10

    func perform(_ console: Console) async throws(Failure) {
        let named = try server.map { url throws(Failure) in try Self.origin(url) }
        let environment = ProcessInfo.processInfo.environment
        let programs = ProgramChecks(environment)
        var findings = [programs.program, await programs.gitFinding()]
        findings += DesktopChecks(environment: environment).findings
        findings += await StoreChecks.findings(storage)
        let checks = NetworkChecks(environment: environment, options: network)
        findings += [await checks.proxy(), checks.certificates]
        let accounts = await accounts()
        findings.append(checks.loopback(accounts.compactMapValues { Self.fixedPort(of: $0.client.redirectURI) }))
        findings += await servers(named + accounts.sorted { $0.key < $1.key }.compactMap { Origin(url: $0.value.server) }, console)
        switch console.format {
        case .json: console.put(["checks": .array(findings.map(\.json))])
        case .text:
            let width = findings.map(\.check.count).max() ?? 0
            for finding in findings { console.put(finding.line(console.dataStyle, width: width)) }
        }
        let failed = findings.filter { $0.state == .fail }
        guard let first = failed.first else { return }
        throw Failure("check_failed", .failed, "\(Words.count(failed.count, "check")) failed", hint: first.next ?? "authhub help doctor")
    }
}

extension DoctorCommand {
    private static func origin(_ url: String) throws(Failure) -> Origin {
        guard let origin = Origin(url: url), origin.scheme == "https" || origin.isLoopback else {
            throw .usage("“\(displayable(url, limit: 200))” is not the https URL of a server", hint: "authhub doctor https://HOST")
        }
        return origin
    }

    /// Returns the port of a loopback URI; nil if it can be any free one.
    private static func fixedPort(of redirectURI: RedirectURI) -> Int? {
        let url = redirectURI.description
        return url.hasPrefix("http://127.0.0.1:") ? Origin(url: url)?.port : nil
    }

    /// Returns the settings of all accounts that can be read without asking the user.
    private func accounts() async -> [String: AccountSettings] {
        // Without a display and a file with the passphrase, nothing asks for one.
        guard let report = try? await StoreReport.read(storage), report.problem == nil, report.accountCount != nil,
            let store = try? ToolStore.open(storage)
        else { return [:] }
        return Dictionary(await AccountBook(store: store).readable().map { ($0.label, $0.settings) }) { _, last in last }
    }

    private func servers(_ origins: [Origin], _ console: Console) async -> [Finding] {
        var seen: Set<Origin> = []
        let origins = origins.filter { seen.insert($0).inserted }.prefix(Self.serverLimit)
        guard !origins.isEmpty else { return [.ok("server", "none was asked: there is no account; authhub doctor https://HOST asks one")] }
        do throws(Failure) {
            let network = try network.open(console)
            var findings: [Finding] = []
            for origin in origins { findings.append(await NetworkChecks.server(origin, by: network)) }
            return findings
        } catch {
            return [.warn("server", "no server was contacted: \(error.message)", next: "authhub doctor, when this is fixed")]
        }
    }
}
