import AuthHub
import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol

/// The servers to which a client ID is known to belong: from accounts that use it, and from clients that
/// were added or that servers registered.
struct ClientIDUse: Sendable {
    let store: any CredentialInventory

    /// Returns a warning if a client ID belongs to another server: a malicious server that reuses the client ID of an honest one may lead
    /// the browser to the honest one and request the code for itself (RFC 9700 §4.4). Servers on this machine are for development and may
    /// share client IDs.
    ///
    /// - Returns: nil if there is no warning, or if the store cannot be read.
    func warning(of settings: AccountSettings) async -> String? {
        guard let server = try? settings.profile().identity, !server.isOnThisMachine else { return nil }
        let isOther = { (other: String) in !other.isSameServer(as: server) && !other.isOnThisMachine }
        for (label, known) in await AccountBook(store: store).readable() where known.client.id.hasSameBytes(as: settings.client.id) {
            guard let other = try? known.profile().identity, isOther(other) else { continue }
            return Self.warning(settings.client.id, "was used at \(displayable(other, limit: 200)), for the account “\(label)”")
        }
        for known in (try? await ClientBook(store: store).all()) ?? []
        where known.client.id.hasSameBytes(as: settings.client.id) && isOther(known.server) {
            return Self.warning(settings.client.id, "is stored for \(displayable(known.server, limit: 200))")
        }
        for key in (try? await RegistrationBook(store: store).keys()) ?? [] where isOther(key.issuer) {
            guard let registration = try? await RegistrationBook(store: store).registration(key),
                registration.clientID.hasSameBytes(as: settings.client.id)
            else { continue }
            return Self.warning(settings.client.id, "was issued by \(displayable(key.issuer, limit: 200))")
        }
        return nil
    }

    private static func warning(_ clientID: String, _ use: String) -> String {
        "the client ID \(displayable(clientID, limit: 100)) \(use); unless you registered it at both servers, "
            + "do not sign in: one of them may be trying to obtain tokens that the other issues (RFC 9700 §4.4)"
    }
}

extension String {
    /// Returns whether two URLs identify the same server. Ignores a trailing slash, as discovery does.
    fileprivate func isSameServer(as other: String) -> Bool {
        let names = [self, other].map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
        return names[0].hasSameBytes(as: names[1])
    }

    fileprivate var isOnThisMachine: Bool { Origin(url: self)?.isLoopback ?? false }
}
