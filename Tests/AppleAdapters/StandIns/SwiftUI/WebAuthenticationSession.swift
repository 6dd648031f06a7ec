public import AuthenticationServices
public import Foundation

// Declared as in the overlay of Apple's SwiftUI and AuthenticationServices, as far as the adapters use it.

/// A stub for Apple's type. Apple's type may be Sendable; this one is not, so that the code under test works with both.
@available(iOS 16.4, macOS 13.3, tvOS 16.4, watchOS 9.4, visionOS 1, *)
public struct WebAuthenticationSession {
    public enum BrowserSession: Hashable, Sendable {
        case ephemeral
        case shared
    }

    private let system: PretendSystem
    private let heedsCancellation: Bool

    /// - Parameter heedsCancellation: Whether cancelling the task closes its window.
    public init(_ system: PretendSystem, heedsCancellation: Bool = true) {
        self.system = system
        self.heedsCancellation = heedsCancellation
    }

    @MainActor
    public func authenticate(
        using url: URL, callback: ASWebAuthenticationSession.Callback, preferredBrowserSession: BrowserSession? = nil,
        additionalHeaderFields: [String: String]
    ) async throws -> URL {
        let answer = AsyncThrowingStream<URL, any Error>.makeStream()
        let window = PretendWindow(url: url, callback: callback.wanted) { url, error in
            if let url { answer.continuation.yield(url) }
            answer.continuation.finish(throwing: error)
        }
        window.show(
            isEphemeral: preferredBrowserSession == .ephemeral, headerFields: additionalHeaderFields, anchor: nil, hasContext: { true })
        guard system.starts else { throw ASWebAuthenticationSessionError(.presentationContextInvalid) }
        system.opened(window)
        let heedsCancellation = heedsCancellation
        return try await withTaskCancellationHandler {
            // Wait in a separate task, which is not cancelled together with this one.
            let url = try await Task { try await answer.stream.first { _ in true } }.value
            guard let url else { throw CancellationError() }
            return url
        } onCancel: {
            window.cancel()
            if heedsCancellation { window.end(nil, CancellationError()) }
        }
    }
}
