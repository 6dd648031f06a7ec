#if AsyncHTTPClient
public import OAuthProtocol

extension OAuthAccounts {
    /// Signs an account out over the network, using AsyncHTTPClient. See ``remove(_:of:client:dependencies:)``.
    public func remove(_ label: String = "default", of server: ProviderProfile, client: OAuthClient) async -> SignOutReport {
        await remove(label, of: server, client: client, dependencies: .network)
    }
}
#endif
