import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import Synchronization

/// A transport that writes the messages of another one to a trace.
struct TracingTransport: Transport {
    let transport: any Transport
    let trace: Trace

    func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        let number = trace.request(request)
        var response: LoadResponse
        do throws(LoadError) {
            response = try await transport.send(request)
        } catch {
            trace.failure(error, of: number)
            throw error
        }
        guard !request.belongsToAPI else {
            trace.response(response.head, nil, to: number)
            return response
        }
        let record = BodyRecord()
        let body = response.body.wrapped { read async throws(LoadError) in
            let chunk: ArraySlice<UInt8>?
            do throws(LoadError) {
                chunk = try await read()
            } catch {
                trace.failure(error, of: number)
                throw error
            }
            record.append(chunk)
            return chunk
        }
        body.whenEnded { [head = response.head] in
            trace.response(head, record.body, to: number)
        }
        response.body = body
        return response
    }

    func shutdown() async { await transport.shutdown() }
}

/// The beginning of a body for a trace.
struct TracedBody: Sendable {
    enum End: Hashable {
        /// The body was not read to its end.
        case missing
        case reached
        /// The body has more bytes.
        case cut
    }

    private(set) var bytes: [UInt8] = []
    private(set) var end = End.missing

    /// A longer body is not shown. Any body may be this long, and masking it must not take long.
    static let limit = 64 * 1024

    /// Appends the next part of the body; nil is its end.
    mutating func append(_ chunk: ArraySlice<UInt8>?) {
        guard end != .cut else { return }
        guard let chunk else { return end = .reached }
        let room = Self.limit - bytes.count
        bytes += chunk.prefix(room)
        if chunk.count > room { end = .cut }
    }
}

private final class BodyRecord: Sendable {
    private let state = Mutex(TracedBody())

    var body: TracedBody { state.withLock { $0 } }

    func append(_ chunk: ArraySlice<UInt8>?) { state.withLock { $0.append(chunk) } }
}
