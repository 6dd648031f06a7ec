import AuthHub
import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import OAuthProtocol

/// Loads people's pictures, over a chain of its own that has no token: they lie at other origins, and need none.
struct PictureLoader: Sendable {
    private let chain: Chain
    /// Whether the service itself is on this machine. Only then may a picture be: no other service has anything to ask for here.
    private let mayBeLoopback: Bool

    private static let sizeLimit = 1024 * 1024
    private static let timeLimit = Duration.seconds(30)

    /// nil for services whose people's pictures are not shown.
    init?(of service: AppProvider.Service, by dependencies: Dependencies) {
        guard case .gitHub(let api) = service else { return nil }
        let origin = Origin(url: api)
        mayBeLoopback = origin?.isLoopback ?? false
        // The API names the URLs of pictures: it must not lead into networks that it cannot reach itself.
        let reach = ReachLoader(
            mayBeLoopback ? .publicHostsAndLoopbackForDevelopment : .publicHosts, exempting: origin?.host, by: dependencies)
        chain = Chain(transport: dependencies.transport, clock: dependencies.clock, ordered: [DeadlineLoader(Self.timeLimit), reach])
    }

    /// nil for whatever cannot be had: a missing picture is nobody's problem.
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
