import AuthHub
import AuthHubPrimitives
import Dispatch
import Platform

/// A sign-in in a separate process with its own session. Hosts give up after a minute and end the proxy; the page stays, and the next proxy
/// uses the result, which is in the store.
struct DetachedSignIn: Sendable {
    /// The arguments of the proxy.
    let arguments: [String]
    /// The options of a login with the same result, with a space before each.
    let loginOptions: String
    let surroundings: ChildProgram.Surroundings

    /// Starts the process, and waits for its result.
    func perform(_ reason: ResourceSignIn.Reason) async throws(Failure) -> ResourceSignIn.Outcome {
        // The system limits the length of an argument; the resource can be asked for its challenge again.
        let challenge = reason.challenge.utf8.count > Self.challengeLimit ? "" : reason.challenge
        var added = [Option.url.word(reason.url)]
        // The parser does not accept an empty value.
        if !challenge.isEmpty { added.append(Option.challenge.word(challenge)) }
        if let rejected = reason.rejected { added.append(Option.rejected.word(rejected)) }
        // Only the proxy uses these: the file of a trace must be a new one, and that of a header field may be a pipe, which was read before.
        var words = ProcessArguments.leavingOut(["--trace", "--header"], of: arguments)
        // After `--`, they would be arguments instead of options.
        words.insert(contentsOf: added, at: words.firstIndex(of: "--") ?? words.endIndex)
        let hint = "authhub login \(reason.url.shellWord)\(loginOptions) in a terminal, then try again"
        let result = try await output(of: words, hint: hint)
        guard let result = try? JSONValue(strict: result) else {
            throw Failure("cannot_sign_in_here", .failed, "the process that signs in ended without a result", hint: hint)
        }
        if let label = result["label"]?.string { return ResourceSignIn.Outcome(label: label, isOwn: result["is_own"] == true) }
        throw Failure(result)
    }

    /// What the process writes to standard output.
    static func report(_ result: Result<ResourceSignIn.Outcome, Failure>) -> JSONValue {
        switch result {
        case .success(let done): ["label": .string(done.label), "is_own": .bool(done.isOwn)]
        case .failure(let failure):
            ["failure": failure.json, "page": failure.page.map { .string($0.rawValue) } ?? .null]
        }
    }

    /// The options that turn a proxy into such a process.
    enum Option: String {
        case url = "sign-in-at"
        case challenge = "sign-in-challenge"
        case rejected = "sign-in-rejected"

        fileprivate func word(_ value: String) -> String { "--\(rawValue)=\(value)" }
    }

    private static let challengeLimit = 16 * 1024

    /// Runs the process, and passes on its messages for the user.
    ///
    /// - Parameter hint: What to do if the process cannot be started.
    private func output(of arguments: [String], hint: String) async throws(Failure) -> [UInt8] {
        let failure = Failure("cannot_sign_in_here", .failed, "the process that signs in cannot be started", hint: hint)
        guard let path = try? OwnProgram.path(), let result = Pipe() else { throw failure }
        guard let messages = Pipe() else {
            result.closeEnds()
            throw failure
        }
        let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(nothing) }
        let words = ([path] + arguments).map { Array($0.utf8CString) }
        guard
            let process = try? ChildProgram.spawn(
                words, environment: ChildProgram.environment(), surroundings, streams: [nothing, result.input, messages.input],
                isDetached: true)
        else {
            result.closeEnds()
            messages.closeEnds()
            throw failure
        }
        close(result.input)
        close(messages.input)
        Self.reading.async { messages.read { _ = StandardStreams.write($0, to: STDERR_FILENO) } }
        return await withCheckedContinuation { continuation in
            Self.reading.async {
                var output: [UInt8] = []
                result.read { output += $0 }
                var status: Int32 = 0
                while waitpid(process, &status, 0) == -1, errno == EINTR {}
                continuation.resume(returning: output)
            }
        }
    }

    private static let reading = DispatchQueue(label: "sign-in", attributes: .concurrent)
}

/// The two ends of a pipe.
private struct Pipe: Sendable {
    let output: Int32
    let input: Int32

    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (output, input) = (ends[0], ends[1])
    }

    /// Closes both ends.
    func closeEnds() {
        for end in [output, input] { close(end) }
    }

    /// Reads to the end, and closes the pipe.
    func read(_ accept: ([UInt8]) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = systemRead(output, &buffer)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            accept(Array(buffer[..<count]))
        }
        close(output)
    }
}

private func systemRead(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int { read(descriptor, &buffer, buffer.count) }

extension Failure {
    /// Creates the failure that another process of the tool has reported.
    fileprivate init(_ result: JSONValue) {
        let failure = result["failure"]
        self.init(
            failure?["code"]?.string ?? "interrupted",
            failure?["exit"]?.number?.int64.flatMap { ExitStatus(rawValue: Int32(truncatingIfNeeded: $0)) } ?? .failed,
            failure?["message"]?.string ?? "the sign-in did not finish", hint: failure?["hint"]?.string ?? "")
        page = result["page"]?.string.flatMap(AccessPolicy.PageFailure.init(rawValue:))
    }
}
