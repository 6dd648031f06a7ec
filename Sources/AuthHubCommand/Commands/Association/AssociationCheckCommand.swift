import ArgumentParser
import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import WebAuthentication

struct AssociationCheckCommand: NetworkCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check an association file.",
        discussion: "The exit status is 1 if there is a problem.")

    @Argument(
        help: ArgumentHelp("A file, a host such as app.example.com, or a URL (http on this machine only).", valueName: "file|host|url"),
        completion: .file())
    var place: String

    @Option(help: ArgumentHelp("The app that the file must name (default: any).", valueName: "team.bundle"))
    var app: AppOption?

    @Option(help: ArgumentHelp("The callback path that the file's links must cover.", valueName: "path"))
    var link: String?

    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        let check = AssociationCheck(app: app?.identifier, path: link ?? "/callback", needsLinks: link != nil)
        let findings = try await findings(by: check)
        switch console.format {
        case .json: console.put(["findings": .array(findings.map { .string($0.description) })])
        case .text where findings.isEmpty: console.put("No problem was found.")
        case .text: for finding in findings { console.put("- \(finding)") }
        }
        guard findings.isEmpty else {
            throw Failure(
                "association_broken", .failed, "\(findings.count) \(findings.count == 1 ? "problem was" : "problems were") found",
                hint: "authhub association write --app TEAM.BUNDLE writes a correct file")
        }
    }

    private func findings(by check: AssociationCheck) async throws(Failure) -> [AssociationCheck.Finding] {
        guard let url = try address() else {
            return check.findings(in: try InputFile.contents(of: place, limit: AssociationCheck.maximumBytes * 2))
        }
        do throws(LoadError) {
            let response = try await Chain(transport: ToolNetwork.current.transport, ordered: [DeadlineLoader(.seconds(30))]).load(
                .get(url))
            let fields = response.head.headerFields
            let served = check.findings(
                status: response.status.code, contentType: fields[.contentType], location: fields[.location])
            guard response.status == .ok else {
                response.body.cancel()
                return served
            }
            return served + check.findings(in: try await response.body.collect(upTo: AssociationCheck.maximumBytes))
        } catch {
            throw Failure(error)
        }
    }

    /// Returns the URL; nil if the argument is a file.
    private func address() throws(Failure) -> String? {
        if place.contains("://") {
            guard let origin = Origin(url: place), origin.scheme == "https" || origin.isLoopback else {
                throw .usage("\(place) is neither an https URL nor an http URL on this machine", hint: "authhub association check HOST")
            }
            return place
        }
        if place.contains("/") || place == "-" || InputFile.exists(place) { return nil }
        return "https://\(place)\(AssociationFile.path)"
    }
}
