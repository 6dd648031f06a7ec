import AuthHub
import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import OAuthProtocol

/// A loader for users' pictures, with its own chain that has no token, because the pictures are at other origins and need none.
struct PictureLoader: Sendable {
    private let chain: Chain
    /// Whether the service itself is on this machine. Only then may a picture be here, because no other service may cause requests to this
    /// machine.
    private let mayBeLoopback: Bool

    private static let sizeLimit = 1024 * 1024
    private static let timeLimit = Duration.seconds(30)

    /// Creates a loader; returns nil for services whose users' pictures are not shown.
    init?(of service: AppProvider.Service, by dependencies: Dependencies) {
        let origin: Origin?
        let exempted: String?
        switch service {
        case .gitHub(let api):
            origin = Origin(url: api)
            // Pictures may be on the API's own host, even if it is in a private network.
            exempted = origin?.host
        case .openID(let issuer): (origin, exempted) = (Origin(url: issuer), nil)
        case .aniList: return nil
        }
        mayBeLoopback = origin?.isLoopback ?? false
        // The service provides the URLs of pictures. They must not lead into networks that the service cannot reach itself.
        let reach = ReachLoader(
            mayBeLoopback ? .publicHostsAndLoopbackForDevelopment : .publicHosts, exempting: exempted, by: dependencies)
        chain = Chain(transport: dependencies.transport, clock: dependencies.clock, ordered: [DeadlineLoader(Self.timeLimit), reach])
    }

    /// Returns the bytes of a picture; nil if it is not available, because a missing picture is not a problem for the user.
    func picture(at address: String) async -> [UInt8]? {
        guard let origin = Origin(url: address), origin.isLoopback ? mayBeLoopback : origin.scheme == "https" else { return nil }
        do throws(LoadError) {
            let response = try await chain.load(.get(address, headers: [.accept: "image/png, image/jpeg"]))
            guard response.status == .ok else { return nil }
            let bytes = try await response.body.collect(upTo: Self.sizeLimit)
            return PictureHeader(bytes) == nil ? nil : bytes
        } catch {
            return nil
        }
    }
}
