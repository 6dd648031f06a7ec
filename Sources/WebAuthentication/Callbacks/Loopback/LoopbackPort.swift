import NIOCore
import NIOPosix

/// A port of 127.0.0.1, at which a redirect may arrive.
package enum LoopbackPort {
    /// Whether a program listens at a port. Connects instead of listening, which would occupy a port that another process is about to use.
    package static func isTaken(_ port: UInt16) async -> Bool {
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        guard let channel = try? await bootstrap.connect(host: "127.0.0.1", port: Int(port)).get() else { return false }
        try? await channel.close()
        return true
    }
}
