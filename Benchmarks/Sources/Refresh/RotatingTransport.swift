import HTTPLoading
import HTTPTypes
import Synchronization

/// A token endpoint with a delay and rotation, and an API that responds immediately.
final class RotatingTransport: Transport {
    static let api = "http://127.0.0.1:1/user"
    static let tokenPause = Duration.milliseconds(50)
    static let lifetime = 3_600.0

    private struct State {
        var serial = 0
        var refreshes = 0
        var accessToken = ""
    }

    private let state = Mutex(State())

    var refreshes: Int { state.withLock(\.refreshes) }

    func endAccessToken() { state.withLock { $0.accessToken = "" } }

    func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        guard request.head.method == .post else {
            let isGood = state.withLock { "Bearer \($0.accessToken)" == request.head.headerFields[.authorization] }
            return LoadResponse(HTTPResponse(status: isGood ? .noContent : .unauthorized))
        }
        let isRefresh = request.body.bytes.map { String(decoding: $0, as: UTF8.self).contains("refresh_token=") } ?? false
        if isRefresh { try? await Task.sleep(for: Self.tokenPause) }
        let (access, serial) = state.withLock { state in
            state.serial += 1
            state.refreshes += isRefresh ? 1 : 0
            // As long as typical signed tokens, so that a record has 618 bytes.
            state.accessToken = "access-\(state.serial)-" + String(repeating: "a", count: 404)
            return (state.accessToken, state.serial)
        }
        let body =
            #"{"access_token":"\#(access)","token_type":"Bearer","expires_in":3600,"scope":"read","refresh_token":"refresh-\#(serial)-64646464646464646464646464646464646464646464646464646464"}"#
        return LoadResponse(
            HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]), body: .bytes(Array(body.utf8)))
    }
}
