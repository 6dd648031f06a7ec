import AuthHubPrimitives
public import HTTPLoading
import HTTPTypes
import Synchronization

/// Sends requests through another transport and keeps what was said, for a ``ReplayingTransport``.
///
/// ```swift
/// let recorder = RecordingTransport(network, secrets: [token])
/// …                                                    // load through a chain that ends in the recorder
/// try recorder.write(to: "user.recording.json")
/// ```
///
/// Secrets are left out as the ``Redaction`` says; and where a secret that the recorder was told of would be written all the same,
/// nothing is. Bodies are read whole, requests' and responses', before they go on. A load that is cancelled is not recorded.
public final class RecordingTransport: Transport {
    private let transport: any Transport
    private let redaction: Redaction
    private let search: Secret<SecretSearch>
    private let bodyLimit: Int
    private let exchanges = Mutex<[Recording.Exchange?]>([])

    /// - Parameters:
    ///   - transport: The one that really sends.
    ///   - secrets: Texts that must not be in the file: tokens, passwords, canaries.
    ///   - bodyLimit: How many bytes a body may have; 8 MiB without it. A load with more ends in ``HTTPLoading/LoadError/Code/tooLarge``.
    public init(
        _ transport: any Transport, redaction: Redaction = Redaction(), secrets: [String] = [], bodyLimit: Int = 8 << 20
    ) {
        self.transport = transport
        self.redaction = redaction
        self.bodyLimit = bodyLimit
        search = Secret(SecretSearch(secrets.map { Secret($0) }))
    }

    /// What was recorded so far, after redaction. Exchanges that are under way are missing.
    public var recording: Recording {
        Recording(exchanges: exchanges.withLock { $0.compactMap { $0 } })
    }

    /// Writes the recording, the whole file or none.
    ///
    /// - Throws: ``RecordingError`` with `.containsSecret` or `.unwritable`.
    public func write(to path: String) throws(RecordingError) {
        let recording = recording
        let search = search.reveal()
        if let index = recording.exchanges.firstIndex(where: { search.finds(in: $0) }) { throw .containsSecret(exchange: index + 1) }
        try recording.write(to: path)
    }

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

    public func shutdown() async {
        await transport.shutdown()
    }

    private func keep(_ exchange: Recording.Exchange, at index: Int) {
        exchanges.withLock { $0[index] = exchange }
    }
}

extension RequestBody {
    /// All bytes of one sending.
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
