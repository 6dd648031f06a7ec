public import Foundation
import Synchronization

/// A requested window: its parameters, and the events that happened to it.
public final class PretendWindow: @unchecked Sendable {  // like the system, it calls a handler on any thread that did not ask for that
    public enum Callback: Hashable, Sendable {
        case customScheme(String)
        case https(host: String, path: String)
    }

    private struct State {
        var isEphemeral: Bool?
        var headerFields: [String: String]?
        var anchor: ObjectIdentifier?
        var hasContext: () -> Bool = { false }
    }

    public let url: URL
    public let callback: Callback
    private let completionHandler: (URL?, (any Error)?) -> Void
    private let state = Mutex(State())
    private let cancelled = AsyncStream<Void>.makeStream()
    private let freed = AsyncStream<Void>.makeStream()

    public init(url: URL, callback: Callback, completionHandler: @escaping (URL?, (any Error)?) -> Void) {
        self.url = url
        self.callback = callback
        self.completionHandler = completionHandler
    }

    public var isEphemeral: Bool? { state.withLock(\.isEphemeral) }
    public var headerFields: [String: String]? { state.withLock(\.headerFields) }
    public var anchor: ObjectIdentifier? { state.withLock(\.anchor) }
    /// Whether the object that provides the anchor still exists. The session itself does not retain it.
    public var hasContext: Bool { state.withLock(\.hasContext)() }

    /// Returns after the window has been asked to close.
    public func untilCancelled() async {
        for await _ in cancelled.stream {}
    }

    /// Returns after the window's session has been released.
    public func untilFreed() async {
        for await _ in freed.stream {}
    }

    /// Ends the sign-in on the calling thread. Can be called any number of times.
    public func end(_ url: URL?, _ error: (any Error)?) {
        completionHandler(url, error)
    }

    public func show(isEphemeral: Bool, headerFields: [String: String]?, anchor: ObjectIdentifier?, hasContext: @escaping () -> Bool) {
        state.withLock { state in
            state.isEphemeral = isEphemeral
            state.headerFields = headerFields
            state.anchor = anchor
            state.hasContext = hasContext
        }
    }

    public func cancel() {
        cancelled.continuation.finish()
    }

    public func sessionWasFreed() {
        freed.continuation.finish()
    }
}
