#if AsyncHTTPClient
import AsyncHTTPClientTransport

extension Dependencies {
    /// The network through AsyncHTTPClient, the system's resolver and clock, and no logger. Everything made with it shares the metadata of
    /// servers.
    public static let network: Dependencies = {
        var dependencies = Dependencies(transport: NetworkTransport.shared)
        dependencies.addresses = HostAddresses.ofSystem
        return dependencies
    }()
}
#endif
