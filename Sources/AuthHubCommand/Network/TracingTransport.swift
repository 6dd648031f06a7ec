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

private final class BodyRecord: Sendable {
    private let state = Mutex(TracedBody())

    var body: TracedBody { state.withLock { $0 } }

    func append(_ chunk: ArraySlice<UInt8>?) { state.withLock { $0.append(chunk) } }
}
