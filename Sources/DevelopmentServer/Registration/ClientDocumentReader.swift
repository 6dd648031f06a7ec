import AuthHubPrimitives
import NIOHTTP1
import Synchronization

/// Reads the metadata documents of clients whose ID is a URL (OAuth Client ID Metadata Document, draft). Only http URLs on this machine are
/// read, so that nothing leaves it.
struct ClientDocumentReader: Sendable {
    let state: ServerState

    /// Reads the document again for each authorization request, because the client may have changed it.
    func read(for request: IncomingRequest) async {
        guard state.persona.readsClientDocuments, [state.persona.addresses.authorization, "/par"].contains(request.path),
            let id = request.queryParameters?["client_id"] ?? request.form?["client_id"], id.contains("://")
        else { return }
        let client = await client(id)
        state.documents.withLock { $0[id] = client }
    }

    private func client(_ id: String) async -> DevelopmentClient? {
        guard let response = await LoopbackExchange(url: id).response(), response.status == 200,
            response.headers.first(name: "Content-Type")?.hasPrefix("application/json") ?? false,
            let document = (try? JSONValue(strict: response.body))?.object, document["client_id"]?.string == id,
            document["client_secret"] == nil,
            ["none", "private_key_jwt"].contains(document["token_endpoint_auth_method"]?.string),
            let metadata = try? RegistrationValidator(persona: state.persona).noted(document)
        else { return nil }
        return RegistrationEndpoint(state: state).client(id: id, secret: nil, metadata)
    }
}
