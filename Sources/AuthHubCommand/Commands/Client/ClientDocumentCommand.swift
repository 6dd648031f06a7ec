import ArgumentParser
import AuthHub
import AuthHubPrimitives
import HTTPTypes
import JOSE
import OAuthProtocol

struct ClientDocumentCommand: NetworkCommand {
    static let configuration = CommandConfiguration(
        commandName: "document",
        abstract: "Write or check a client metadata document, whose URL is the client ID.",
        discussion: """
            Servers that support such documents need no registration: publish the document at the URL, then sign in with \
            "authhub login RESOURCE_URL --client-id-document URL". With --check and --check-published, the exit status is 1 if servers \
            would reject the document. To replace a key, publish both for as long as servers may know only the old one.

            Examples:
              authhub client document https://example.com/app.json > app.json
              authhub client document https://example.com/app.json --check app.json
              authhub client document https://example.com/app.json --check-published
            """)

    @Argument(help: ArgumentHelp("The https URL of the document.", valueName: "url"))
    var url: String

    @Option(help: ArgumentHelp("The name that users see when they sign in.", valueName: "text"))
    var name = "AuthHub"

    @Option(
        name: .customLong("redirect-uri"),
        help: ArgumentHelp("A redirect URI; may be repeated (default: http://127.0.0.1/callback, with any port).", valueName: "uri"))
    var redirectURIs: [String] = []

    @Option(help: ArgumentHelp("The scopes that the client may request, separated by commas or spaces.", valueName: "scopes"))
    var scope: String?

    @Option(
        help: ArgumentHelp("A JSON file with more client metadata (RFC 7591), or - for standard input.", valueName: "file|-"),
        completion: .file(extensions: ["json"]))
    var metadata: String?

    @Option(
        name: .customLong("private-key-file"),
        help: ArgumentHelp(
            "A file with a private key of the client (PEM or a JSON Web Key), whose public key the document contains; may be repeated.",
            valueName: "file"),
        completion: .file(extensions: ["pem", "key", "json"]))
    var privateKeyFiles: [String] = []

    @Option(
        help: ArgumentHelp("Check this document instead of writing one.", valueName: "file|-"), completion: .file(extensions: ["json"]))
    var check: String?

    @Flag(help: "Request the document from its URL, as servers do, and check it instead of writing one.")
    var checkPublished = false

    @OptionGroup var loopback: LoopbackOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    private static let sizeLimit = 256 * 1024

    func validate() throws {
        guard check == nil && !checkPublished || (redirectURIs.isEmpty && scope == nil && metadata == nil && privateKeyFiles.isEmpty) else {
            throw ValidationError(
                "--check and --check-published cannot be used with --redirect-uri, --scope, --metadata or --private-key-file.")
        }
        guard check == nil || !checkPublished else { throw ValidationError("--check cannot be used with --check-published.") }
    }

    func perform(_ console: Console) async throws(Failure) {
        if let check {
            return try report(on: Secret(try InputFile.contents(of: check, limit: Self.sizeLimit)), console)
        }
        if checkPublished { return try await reportPublished(console) }
        let document: Secret<[UInt8]>
        do {
            document = try ClientIDDocument.document(of: try clientMetadata(), at: url, transport: loopback.transport)
        } catch let error as Failure {
            throw error
        } catch {
            throw .usage((error as? OAuthError)?.explanation ?? "\(error)", hint: "authhub help client document")
        }
        for warning in Self.ordered(ClientIDDocument.warnings(about: document, at: url)) { console.warn(warning) }
        console.put(String(decoding: document.reveal(), as: UTF8.self))
    }

    private func reportPublished(_ console: Console) async throws(Failure) {
        try loopback.check(url, "the URL", hint: "authhub client document https://HOST/PATH --check-published")
        let discovery = ServerDiscovery(dependencies: ToolNetwork.current.dependencies(), transport: loopback.transport)
        let response = try await Failure.translating { () async throws in try await discovery.clientDocument(at: url) }
        try report(on: response.body, published: response.head, console)
    }

    private func report(on document: Secret<[UInt8]>, published head: HTTPResponse? = nil, _ console: Console) throws(Failure) {
        let found = ClientIDDocument.problems(of: document, at: url, transport: loopback.transport)
        var problems = ClientIDDocument.Problem.allCases.filter(found.contains).map(\.explanation)
        let isMisplaced = head.flatMap(ClientIDDocument.problem) != nil
        // The body of an error is not the document.
        if let problem = head.flatMap(ClientIDDocument.problem) { problems = head?.status == .ok ? [problem] + problems : [problem] }
        let warnings = Self.ordered(ClientIDDocument.warnings(about: document, at: url))
        switch console.format {
        case .json:
            console.put(["problems": .array(problems.map { .string($0) }), "warnings": .array(warnings.map { .string($0) })])
        case .text:
            for warning in warnings { console.warn(warning) }
            if problems.isEmpty { console.put("No problem was found.") }
            for problem in problems { console.put("- \(problem)") }
        }
        guard problems.isEmpty else {
            throw Failure(
                "document_broken", .failed, "\(problems.count) \(problems.count == 1 ? "problem was" : "problems were") found",
                hint: isMisplaced
                    ? "publish the document at that URL, as application/json"
                    : "authhub client document \(url.shellWord) writes a correct document")
        }
    }

    private static func ordered(_ warnings: Set<ClientIDDocument.Warning>) -> [String] {
        ClientIDDocument.Warning.allCases.filter(warnings.contains).map(\.explanation)
    }

    private func clientMetadata() throws(Failure) -> ClientMetadata {
        var metadata = try metadata.map { file throws(Failure) in try ClientMetadata(file: file) } ?? ClientMetadata()
        metadata.clientName = name
        if let scope { metadata.scope = Scope(scope, separators: [" ", ","]) }
        metadata.redirectURIs = redirectURIs.isEmpty ? metadata.redirectURIs ?? ["http://127.0.0.1/callback"] : redirectURIs
        metadata.grantTypes = metadata.grantTypes ?? ["authorization_code", "refresh_token"]
        metadata.responseTypes = metadata.responseTypes ?? ["code"]
        metadata.applicationType = metadata.applicationType ?? "native"
        if let keySet = try keySet() {
            metadata.keySet = keySet
            metadata.tokenEndpointAuthenticationMethod = .privateKeyJWT
        }
        return metadata
    }

    /// The public keys that belong to the private keys; nil if none were typed. A server distinguishes several by their IDs.
    private func keySet() throws(Failure) -> JSONObject? {
        guard !privateKeyFiles.isEmpty else { return nil }
        var keys: [JSONValue] = []
        var names: Set<String?> = []
        for file in privateKeyFiles {
            let key = try PrivateKeyFile.key(in: file).publicKey
            guard privateKeyFiles.count == 1 || key.keyID != nil, names.insert(key.keyID).inserted else {
                throw .usage(
                    "several keys need different IDs, and the key in \(file) has none, or that of another key",
                    hint: "name JSON Web Keys, each with a different “kid”")
            }
            keys.append(.object(key.publicMembers))
        }
        var set = JSONObject()
        set["keys"] = .array(keys)
        return set
    }
}
