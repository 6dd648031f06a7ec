import AuthHubPrimitives
import HTTPTypes
import OAuthProtocol
import Synchronization

/// Knows the server's endpoints: from its profile, or from its metadata, which is read once.
final class ServerDirectory: Sendable {
    private struct Knowledge {
        let profile: ProviderProfile
        /// Asked for with every request, so put together once. They are few: comparing them is faster than hashing the one asked for.
        let tokenOrigins: [Origin]

        init(_ profile: ProviderProfile, resources: Set<Origin>) {
            self.profile = profile
            // RFC 6750 §5.3: never over a network where everyone can read it.
            tokenOrigins = profile.tokenOrigins.union(resources).filter { $0.scheme == "https" || $0.isLoopback }
        }
    }

    private let knowledge: Mutex<Knowledge>
    private let resources: Set<Origin>
    /// What every request to the API needs besides the token; most providers need nothing.
    let apiHeaders: [HTTPField]
    private let backChannel: BackChannel

    /// - Parameter resources: Origins that may see the access token besides those of the profile.
    init(_ profile: ProviderProfile, clientID: String, resources: Set<Origin>, backChannel: BackChannel) {
        knowledge = Mutex(Knowledge(profile, resources: resources))
        self.resources = resources
        self.backChannel = backChannel
        apiHeaders = profile.habits.api.headers.sorted { $0.key < $1.key }.compactMap { header in
            HTTPField.Name(header.key).map { HTTPField(name: $0, value: header.value.replacing("{client_id}", with: clientID)) }
        }
    }

    /// Whether requests to this origin may carry the access token, by what is known now.
    func sendsToken(to origin: Origin) -> Bool {
        knowledge.withLock { $0.tokenOrigins.contains(origin) }
    }

    /// The profile with its endpoints.
    ///
    /// - Throws: ``SessionError`` where metadata is needed and cannot be had, or is not acceptable.
    func resolved() async throws(SessionError) -> ProviderProfile {
        let known = knowledge.withLock(\.profile)
        guard known.endpoints == nil else { return known }
        guard let issuer = known.issuer else {
            throw SessionError(.misconfigured, "\(known.displayName) has neither endpoints nor an issuer")
        }
        let metadata = try await metadata(of: issuer, transport: known.transport)
        let resolved = known.applying(metadata)
        knowledge.withLock { $0 = Knowledge(resolved, resources: resources) }
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
