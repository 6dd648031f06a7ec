import AuthHubPrimitives
public import HTTPLoading
import HTTPTypes
import Synchronization

/// A transport that sends requests through another transport and records the exchanges, for a ``ReplayingTransport``.
///
/// ```swift
/// let recorder = RecordingTransport(network, secrets: [token])
/// …                                                    // load through a chain that ends in the recorder
/// try recorder.write(to: "user.recording.json")
/// ```
///
/// Secrets are removed as the ``Redaction`` says. If a secret that the recorder knows would still be written, it writes nothing. The bodies
/// of requests and responses are read completely before they are passed on. A cancelled request is not recorded.
public final class RecordingTransport: Transport {
    private let transport: any Transport
    private let redaction: Redaction
    private let search: Secret<SecretSearch>
    private let bodyLimit: Int
    private let exchanges = Mutex<[Recording.Exchange?]>([])

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - transport: The transport that sends the requests.
    ///   - secrets: Strings that must not be in the file: tokens, passwords, canaries.
    ///   - bodyLimit: The maximum size of a body in bytes; 8 MiB by default. A larger body fails with
    ///     ``HTTPLoading/LoadError/Code/tooLarge``.
    public init(
        _ transport: any Transport, redaction: Redaction = Redaction(), secrets: [String] = [], bodyLimit: Int = 8 << 20
    ) {
        self.transport = transport
        self.redaction = redaction
        self.bodyLimit = bodyLimit
        search = Secret(SecretSearch(secrets.map { Secret($0) }))
    }

    /// The recording so far, after redaction, without exchanges in progress.
    public var recording: Recording {
        Recording(exchanges: exchanges.withLock { $0.compactMap { $0 } })
    }

    /// Writes the recording atomically.
    ///
    /// - Throws: ``RecordingError`` with `.containsSecret` or `.unwritable`.
    public func write(to path: String) throws(RecordingError) {
        let recording = recording
        let search = search.reveal()
        if let index = recording.exchanges.firstIndex(where: { search.finds(in: $0) }) { throw .containsSecret(exchange: index + 1) }
        try recording.write(to: path)
    }

    /// Sends the request through the other transport, and records the exchange once the whole response body has been read.
    public func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        let content = try await request.body.collect(upTo: bodyLimit, for: request)
        var sent = request
        if !content.isEmpty { sent.body = .bytes(content, contentType: request.body.contentType) }
        let redacted = redaction.redacted(request.head, body: content, contentType: request.body.contentType)
        let index = exchanges.withLock { exchanges in
            exchanges.append(nil)
            return exchanges.count - 1
        }
        do throws(LoadError) {
            var response = try await transport.send(sent)
            let bytes = try await response.body.collect(upTo: bodyLimit)
            response.body = .bytes(bytes)
            keep(Recording.Exchange(request: redacted, outcome: redaction.redacted(response.head, body: bytes)), at: index)
            return response
        } catch {
            if Recording.Outcome.codes.contains(error.code) {
                keep(Recording.Exchange(request: redacted, outcome: .failure(error.code)), at: index)
            }
            throw error
        }
    }

    /// Shuts down the other transport. The recording remains.
    public func shutdown() async {
        await transport.shutdown()
    }

    private func keep(_ exchange: Recording.Exchange, at index: Int) {
        exchanges.withLock { $0[index] = exchange }
    }
}

extension RequestBody {
    /// Reads all bytes for one attempt.
    func collect(upTo limit: Int, for request: LoadRequest) async throws(LoadError) -> [UInt8] {
        if let bytes { return bytes }
        var all: [UInt8] = []
        var chunks = try await open().makeAsyncIterator()
        while let chunk = try await chunks.next() {
            guard all.count + chunk.count <= limit else {
                throw LoadError(.tooLarge, for: request, explanation: "the request body is larger than \(limit) bytes")
            }
            all += chunk
        }
        return all
    }
}
