import AuthHubPrimitives
import HTTPTypes

extension OAuthError {
    /// Returns the error for a status that asks the client to retry later, 5xx or 429; nil for any other status.
    ///
    /// - Parameter name: The name of the requested document or response in the error, such as `the metadata document`.
    static func unavailable(_ head: HTTPResponse, _ name: String) -> OAuthError? {
        guard head.status.kind == .serverError || head.status.code == 429 else { return nil }
        let isBusy = [429, 503].contains(head.status.code)
        let delay = RetryDelay(head.headerFields[values: .retryAfter], sent: head.headerFields[values: .date]) { nil }
        return OAuthError(
            ServerError(
                code: isBusy ? .temporarilyUnavailable : .serverError,
                explanation: "the response for \(name) has status \(head.status.code)", status: head.status.code,
                retryAfter: delay.map { Int($0.seconds) }))
    }
}
