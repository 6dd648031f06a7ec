import HTTPTypes
import OAuthProtocol
import Synchronization

/// Knows the server's endpoints: from its profile, or from its metadata, which is read once.
final class ServerDirectory: Sendable {
    private let profile: Mutex<ProviderProfile>
    private let backChannel: BackChannel

    init(_ profile: ProviderProfile, backChannel: BackChannel) {
        self.profile = Mutex(profile)
        self.backChannel = backChannel
    }

    /// What is known by now.
    var current: ProviderProfile { profile.withLock { $0 } }

    /// The profile with its endpoints.
    ///
    /// - Throws: ``SessionError`` where metadata is needed and cannot be had, or is not acceptable.
    func resolved() async throws(SessionError) -> ProviderProfile {
        let known = current
        guard known.endpoints == nil else { return known }
        guard let issuer = known.issuer else {
            throw SessionError(.misconfigured, "\(known.displayName) has neither endpoints nor an issuer")
        }
        let metadata = try await metadata(of: issuer, transport: known.transport)
        let resolved = known.applying(metadata)
        profile.withLock { $0 = resolved }
        return resolved
    }

    /// RFC 8414 §3 and OpenID Connect Discovery §4: the next address is tried only where one answers that there is nothing.
    private func metadata(of text: String, transport: TransportPolicy) async throws(SessionError) -> ServerMetadata {
        do {
            let issuer = try Issuer(text, transport: transport)
            for address in issuer.metadataAddresses {
                let answer = try await backChannel.get(address)
                if [404, 410].contains(answer.head.status.code) { continue }
                return try ServerMetadata(answer.head, body: answer.body, of: issuer)
            }
        } catch {
            throw SessionError(cause: error)
        }
        throw SessionError(.misconfigured, "\(text) publishes no metadata; name its endpoints instead")
    }
}
