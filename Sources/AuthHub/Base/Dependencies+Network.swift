#if AsyncHTTPClient
import AsyncHTTPClientTransport

extension Dependencies {
    /// The network through AsyncHTTPClient, the system's resolver and clock, and no logger. All sessions and servers that use it share one
    /// copy of each server's metadata.
    public static let network: Dependencies = {
        var dependencies = Dependencies(transport: NetworkTransport.shared)
        dependencies.addresses = HostAddresses.ofSystem
        return dependencies
    }()
}
#endif
