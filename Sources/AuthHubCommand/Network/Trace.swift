import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import Platform
import Synchronization

/// A record of the requests and responses of a run, for `--verbose` and `--trace`. Everything secret is masked, so that users can send it to
/// others.
///
/// Messages are masked and written by a separate thread, in order: requests are often sent while their process holds the lease of an
/// account, and other processes must not wait for a slow reader of the trace.
final class Trace: Sendable {
    private let writer: TraceWriter
    private let count = Mutex(0)

    /// - Parameter write: Writes lines, each of which ends with a line break.
    init(_ write: @escaping @Sendable (String) -> Void) {
        writer = TraceWriter(write)
    }

    /// Writes a remark.
    func note(_ text: String) {
        writer.add("*") { _ in [text] }
    }

    /// Writes a remark about a page that the user sees.
    func page(_ url: String, _ remark: String) {
        writer.add("*") { mask in ["\(remark): \(mask.url(url))"] }
    }

    /// Writes a request, and returns its number.
    func request(_ request: LoadRequest) -> Int {
        let number = count.withLock { count in
            count += 1
            return count
        }
        let (head, body) = (request.head, request.belongsToAPI && !request.body.isEmpty ? nil : request.body)
        writer.add("\(number) >") { mask in
            var lines = ["\(head.method.rawValue) \(mask.url(head.wholeURL))"]
            lines += mask.requested(head.headerFields)
            lines += body.map { Self.lines(of: $0, head, &mask) } ?? ["<the body of an API is not shown>"]
            return lines
        }
        return number
    }

    /// Writes the head of a response, and its body if there is one to show.
    ///
    /// - Parameter body: The body; nil if it is not shown, because it belongs to the user.
    func response(_ head: HTTPResponse, _ body: TracedBody?, to number: Int) {
        writer.add("\(number) <") { mask in
            // First the body: it may contain a secret that the header fields repeat.
            let shown = body.map { Self.lines(of: $0, &mask) } ?? ["<the body of an API is not shown>"]
            return ["\(head.status.code)"] + mask.received(head) + shown
        }
    }

    func failure(_ error: LoadError, of number: Int) {
        writer.add("\(number) !") { _ in ["\(error)"] }
    }

    /// Returns when everything is written. If the task is cancelled, waits for at most a second.
    func finish() async { await writer.finish() }
}

extension Trace {
    private static func lines(of body: RequestBody, _ head: HTTPRequest, _ mask: inout TraceMask) -> [String] {
        guard !body.isEmpty else { return [] }
        let type = head.headerFields[.contentType] ?? body.contentType ?? ""
        guard let bytes = body.bytes else { return ["<a stream>"] }
        guard bytes.count <= TracedBody.limit else { return ["<\(bytes.count) bytes, which are not shown>"] }
        if type.hasPrefix("application/x-www-form-urlencoded"), let text = String(validating: bytes, as: UTF8.self),
            let form = try? FormParameters(decoding: text)
        {
            return mask.form(form)
        }
        guard let value = try? JSONValue(strict: bytes) else { return ["<\(bytes.count) bytes>"] }
        return lines(mask.requested(value))
    }

    /// A body that was cut is not even searched for secrets: one of them may have been cut, too.
    private static func lines(of body: TracedBody, _ mask: inout TraceMask) -> [String] {
        guard !body.bytes.isEmpty else { return [] }
        let count = body.bytes.count
        if body.end == .cut { return ["<more than \(count) bytes, which are not shown>"] }
        let note = body.end == .reached ? "" : ", not read to the end"
        guard let value = try? JSONValue(received: body.bytes) else { return ["<\(count) bytes that are not JSON\(note)>"] }
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
