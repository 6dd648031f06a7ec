import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import Logging
import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The way to the authorization server's own endpoints: no token, no redirects, no second try, 1 MiB, 30 seconds.
struct BackChannel: Sendable {
    private let chain: Chain
    /// What was read over it, shared with all that have the same surroundings.
    let cache: MetadataCache
    let now: @Sendable () -> Date
    private let logger: Logger?

    init(_ surroundings: Surroundings) {
        cache = surroundings.metadataCache
        now = surroundings.now
        logger = surroundings.logger
        // Not every transport keeps the time by itself, and everyone would wait for one that does not.
        chain = surroundings.chain([AttemptTimeoutLoader()] + (surroundings.hostGuard.map { [ReachLoader($0)] } ?? []))
    }

    func send(_ message: BackChannelRequest) async throws(SessionError) -> (head: HTTPResponse, body: Secret<[UInt8]>) {
        let bytes = message.body.reveal()
        return try await send(LoadRequest(message.head, body: bytes.isEmpty ? .empty : .bytes(bytes)))
    }

    /// Logs what was odd about a response that was accepted.
    func tell(_ response: TokenResponse) {
        for irregularity in response.irregularities { logger?.warning("\(irregularity)") }
    }

    func get(_ url: String) async throws(SessionError) -> (head: HTTPResponse, body: Secret<[UInt8]>) {
        let request: LoadRequest
        do {
            request = try LoadRequest.get(url, headers: [.accept: "application/json"])
        } catch {
            throw SessionError(error)
        }
        return try await send(request)
    }

    private func send(_ request: LoadRequest) async throws(SessionError) -> (head: HTTPResponse, body: Secret<[UInt8]>) {
        var request = request
        request.options[AttemptTimeout.self] = .seconds(30)
        do {
            let response = try await chain.load(request)
            return (response.head, Secret(try await response.body.collect(upTo: BackChannelRequest.answerLimit)))
        } catch {
            throw SessionError(error)
        }
    }
}
