import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A record of the requests and responses of a run, for `--verbose` and `--trace`. Everything secret is masked, so that users can send it to
/// others.
final class Trace: Sendable {
    private struct State {
        var mask = TraceMask()
        var count = 0
    }

    private let write: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// - Parameter write: Writes lines, each of which ends with a line break.
    init(_ write: @escaping @Sendable (String) -> Void) {
        self.write = write
    }

    /// Writes a remark.
    func note(_ text: String) {
        state.withLock { state in write("* \(state.mask.clean(text))\n") }
    }

    /// Writes a remark about a page that the user sees.
    func page(_ url: String, _ remark: String) {
        state.withLock { state in
            let url = state.mask.url(url)
            write("* \(remark): \(state.mask.clean(url))\n")
        }
    }

    /// Writes a request, and returns its number.
    func request(_ request: LoadRequest) -> Int {
        state.withLock { state in
            state.count += 1
            var lines = ["\(request.head.method.rawValue) \(state.mask.url(request.head.wholeURL))"]
            lines += state.mask.requested(request.head.headerFields)
            if !request.body.isEmpty { lines += Self.body(of: request, &state.mask) }
            put(lines, "\(state.count) >", state.mask)
            return state.count
        }
    }

    /// Writes the head of a response, and its body if there is one to show.
    ///
    /// - Parameters:
    ///   - body: The body; nil if it is not shown, because it belongs to the user.
    ///   - isComplete: Whether the body was read to its end.
    func response(_ head: HTTPResponse, _ body: [UInt8]?, isComplete: Bool, to number: Int) {
        state.withLock { state in
            // First the body: it may contain a secret that the header fields repeat.
            let shown = body.map { Self.shown($0, isComplete: isComplete, &state.mask) } ?? ["<the body of an API is not shown>"]
            put(["\(head.status.code)"] + state.mask.received(head) + shown, "\(number) <", state.mask)
        }
    }

    func failure(_ error: LoadError, of number: Int) {
        state.withLock { state in put(["\(error)"], "\(number) !", state.mask) }
    }

    private func put(_ lines: [String], _ prefix: String, _ mask: TraceMask) {
        let redaction = mask.redaction
        write(lines.map { "\(prefix) \(redaction.applied(to: displayable($0, limit: .max)))\n" }.joined())
    }
}

extension Trace {
    private static func body(of request: LoadRequest, _ mask: inout TraceMask) -> [String] {
        guard !request.belongsToAPI else { return ["<the body of an API is not shown>"] }
        let type = request.head.headerFields[.contentType] ?? request.body.contentType ?? ""
        guard let bytes = request.body.bytes else { return ["<a stream>"] }
        if type.hasPrefix("application/x-www-form-urlencoded"), let text = String(validating: bytes, as: UTF8.self),
            let form = try? FormParameters(decoding: text)
        {
            return mask.form(form)
        }
        guard let value = try? JSONValue(strict: bytes) else { return ["<\(bytes.count) bytes>"] }
        return lines(mask.requested(value))
    }

    private static func shown(_ bytes: [UInt8], isComplete: Bool, _ mask: inout TraceMask) -> [String] {
        guard !bytes.isEmpty else { return [] }
        let note = isComplete ? "" : ", not read to the end"
        guard let value = try? JSONValue(received: bytes) else { return ["<\(bytes.count) bytes that are not JSON\(note)>"] }
        return lines(mask.received(value))
    }

    private static func lines(_ value: JSONValue) -> [String] {
        String(decoding: value.serialized(indented: true), as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

extension Trace {
    /// Creates a new file that only the user can read.
    ///
    /// - Throws: ``Failure`` if there is such a file, so that none is overwritten.
    static func file(_ path: String) throws(Failure) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            let reason = errno == EEXIST ? "it already exists" : String(cString: strerror(errno))
            throw .usage("the trace cannot be written to \(path): \(reason)", hint: "name a new file with --trace")
        }
        // Whatever the umask is.
        fchmod(descriptor, 0o600)
        return descriptor
    }
}

extension LoadRequest {
    /// Whether the request is for an API or for the user's own data: it has an access token.
    var belongsToAPI: Bool {
        guard let field = head.headerFields[.authorization] else { return false }
        return !field.lowercased().hasPrefix("basic ")
    }
}

extension HTTPRequest {
    fileprivate var wholeURL: String { "\(scheme ?? "")://\(authority ?? "")\(path ?? "")" }
}
