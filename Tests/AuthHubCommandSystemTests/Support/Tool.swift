import Platform
@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import Testing

/// The tool as users run it: the built program, with its own home folder and store for the test. The server runs in the test's process.
struct Tool: Sendable {
    let folder: TestFolder
    private(set) var server: DevelopmentAuthorizationServer
    var environment: [String: String]

    static let user = "octocat"
    static let password = "octocat-password"

    /// The path of the tool: the released tool that `AUTHHUB` names (`Scripts/test` sets it), otherwise the tool that was built with the
    /// tests.
    static var path: String {
        ProcessInfo.processInfo.environment["AUTHHUB"].flatMap { $0.isEmpty ? nil : $0 } ?? pathBesideTests
    }

    /// The path of the tool that was built with the tests and with their traits; the released tool does not support PostgreSQL.
    static var pathBesideTests: String {
        #if os(Linux)
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        #else
        let tests = CommandLine.arguments[0].components(separatedBy: ".xctest")[0]
        #endif
        return tests.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") + "/authhub"
    }

    init(_ server: DevelopmentAuthorizationServer) throws {
        self.server = server
        folder = try TestFolder()
        environment = [
            "HOME": folder.path, "TMPDIR": folder.path, "AUTHHUB_STORE": "\(folder.path)/store", "PATH": "/usr/local/bin:/usr/bin:/bin",
            "AUTHHUB_HEADLESS_PASSWORD": Self.password, "LC_ALL": "C.UTF-8",
        ]
    }

    /// Runs a body with a server that has a persona, and with a tool for this server.
    static func using(
        _ configuration: DevelopmentServerConfiguration = .init(persona: .gitHub),
        _ body: (Tool) async throws -> Void
    ) async throws {
        try await withDevelopmentServer(configuration) { try await body(try Tool($0)) }
    }

    /// Returns the same tool, with the same store, for another server.
    func at(_ server: DevelopmentAuthorizationServer) -> Tool {
        var tool = self
        tool.server = server
        return tool
    }

    func start(_ arguments: [String], input: String = "", at path: String = Self.path) throws -> ChildProcess {
        try ChildProcess(path, arguments, environment: environment, input: Array(input.utf8))
    }

    /// Writes an executable script.
    ///
    /// A separate process writes the file. If this process opened the file for writing, a program that another test is starting at this
    /// moment would have a copy of the descriptor until it executes, and the system does not run a file that is open for writing
    /// (`ETXTBSY`).
    ///
    /// - Returns: The path of the script.
    func executable(_ script: String, named name: String) async throws -> String {
        let path = "\(folder.path)/\(name)"
        let write = try ChildProcess(
            "/bin/sh", ["-c", #"printf '%s' "$1" >"$2" && chmod 700 "$2""#, "sh", script, path], environment: environment)
        guard await write.end().status == 0 else { throw CannotWrite(path: path) }
        return path
    }

    private struct CannotWrite: Error {
        let path: String
    }

    @discardableResult
    func run(_ arguments: String..., input: String = "") async throws -> ChildProcess.Output {
        try await start(arguments, input: input).end()
    }

    @discardableResult
    func run(_ arguments: [String], input: String = "") async throws -> ChildProcess.Output {
        try await start(arguments, input: input).end()
    }

    /// Runs the tool in another working folder.
    func run(_ arguments: [String], in folder: String, input: String = "") async throws -> ChildProcess.Output {
        let words = ["-c", #"cd "$0" && exec "$@""#, folder, Self.path] + arguments
        return try await ChildProcess("/bin/sh", words, environment: environment, input: Array(input.utf8)).end()
    }

    /// Runs the tool like the other function, but waits for its turn, because many tests run the tool at the same time.
    @discardableResult
    func runInTurn(_ arguments: [String], input: String = "") async throws -> ChildProcess.Output {
        try await Turns.processes.take { try await run(arguments, input: input) }
    }

    /// Waits until the server's log meets the condition, or the process that sends the requests has ended.
    func untilLogged(by process: ChildProcess, _ condition: @escaping @Sendable (RequestLog) -> Bool) async {
        let waiting = Task { [log = server.log] in await log.wait(until: condition) }
        Task {
            _ = await process.end()
            waiting.cancel()
        }
        await waiting.value
    }

    /// The arguments of a sign-in at this server with the built-in user agent.
    func loginWords(as label: String = "default") throws -> [String] {
        let address = server.issuer
        let common = ["--as", label, "--allow-insecure-loopback", "--headless", "--user", Self.user]
        if server.persona.api.isGitHub {
            let client = try app()
            let secret = try folder.write(client.secret?.reveal() ?? "", to: "client-secret")
            return [
                "login", "github-app", "--web", address, "--api", address, "--client-id", client.id, "--client-secret-file", secret,
            ] + common
        } else {
            return ["login", address, "--client-id", "native-app", "--scope", "openid,profile,email,offline_access"] + common
        }
    }

    /// Runs the command that a success message recommends, and returns its name.
    func next(after output: ChildProcess.Output) async throws -> String? {
        struct NoAdvice: Error {}
        guard let start = output.errorText.firstRange(of: "Next: authhub ") else { throw NoAdvice() }
        let quoted = output.errorText[start.upperBound...].prefix { $0 != "\n" }.split(separator: " ")
        let words = quoted.map { String($0).replacing("'", with: "") }
        let next = try await run(words)
        #expect(next.status == 0, "\(words): \(next.errorText)")
        return words.first
    }

    func app() throws -> DevelopmentClient {
        struct NoApp: Error {}
        guard let client = server.clients.first(where: { $0.kind == .gitHubApp }) else { throw NoApp() }
        return client
    }
}

extension ChildProcess.Output {
    struct NotJSON: Error {
        let text: String
    }

    /// Standard output as one JSON value.
    func json() throws -> JSONValue {
        guard let value = try? JSONValue(strict: standardOutput) else { throw NotJSON(text: text + errorText) }
        return value
    }

    /// Standard error as one JSON value.
    func errorJSON() throws -> JSONValue {
        guard let value = try? JSONValue(strict: standardError) else { throw NotJSON(text: errorText) }
        return value
    }
}
