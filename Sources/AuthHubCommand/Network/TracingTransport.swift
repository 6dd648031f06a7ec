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
            trace.response(response.head, nil, isComplete: false, to: number)
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
            let (bytes, isComplete) = record.content
            trace.response(head, bytes, isComplete: isComplete, to: number)
        }
        response.body = body
        return response
    }

    func shutdown() async { await transport.shutdown() }
}

/// The beginning of a body.
private final class BodyRecord: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var isComplete = false
        var isTooLong = false
    }

    private let state = Mutex(State())

    /// A longer body is not shown. Any body may be this long, and masking it must not take long.
    static let limit = 64 * 1024

    func append(_ chunk: ArraySlice<UInt8>?) {
        state.withLock { state in
            guard let chunk else { return state.isComplete = !state.isTooLong }
            let rest = chunk.dropFirst(Self.limit - state.bytes.count)
            state.bytes += chunk.prefix(Self.limit - state.bytes.count)
            state.isTooLong = state.isTooLong || !rest.isEmpty
        }
    }

    var content: (bytes: [UInt8], isComplete: Bool) { state.withLock { ($0.bytes, $0.isComplete) } }
}
