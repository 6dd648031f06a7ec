public import Foundation
public import UIKit

// Declared as in Apple's AuthenticationServices, as far as the adapters use it; the task's PretendSystem determines its behaviour.

public typealias ASPresentationAnchor = UIWindow

@MainActor
public protocol ASWebAuthenticationPresentationContextProviding: NSObjectProtocol {
    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
}

@available(iOS 12, macOS 10.15, tvOS 16, watchOS 6.2, visionOS 1, *)
open class ASWebAuthenticationSession: NSObject {
    public typealias CompletionHandler = (URL?, (any Error)?) -> Void

    private let window: PretendWindow

    /// Apple's type raises an Objective-C exception for other URLs.
    @available(iOS 17.4, macOS 14.4, tvOS 17.4, watchOS 10.4, visionOS 1.1, *)
    public init(url: URL, callback: ASWebAuthenticationSession.Callback, completionHandler: @escaping CompletionHandler) {
        precondition(["http", "https"].contains(url.scheme), "NSInvalidArgumentException")
        window = PretendWindow(url: url, callback: callback.wanted, completionHandler: completionHandler)
    }

    deinit {
        window.sessionWasFreed()
    }

    @available(tvOS, unavailable)
    open var prefersEphemeralWebBrowserSession = false

    @available(iOS 17.4, macOS 14.4, tvOS 17.4, watchOS 10.4, visionOS 1.1, *)
    open var additionalHeaderFields: [String: String]?

    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    open weak var presentationContextProvider: (any ASWebAuthenticationPresentationContextProviding)?

    @discardableResult
    open func start() -> Bool {
        guard let system = PretendSystem.current, system.starts else { return false }
        guard let provider = presentationContextProvider else { return false }
        let anchor = MainActor.assumeIsolated { ObjectIdentifier(provider.presentationAnchor(for: self)) }
        window.show(
            isEphemeral: prefersEphemeralWebBrowserSession, headerFields: additionalHeaderFields, anchor: anchor,
            hasContext: { [weak self] in self?.presentationContextProvider != nil })
        system.opened(window)
        return true
    }

    open func cancel() {
        window.cancel()
    }
}

extension ASWebAuthenticationSession {
    @available(iOS 17.4, macOS 14.4, tvOS 17.4, watchOS 10.4, visionOS 1.1, *)
    open class Callback: NSObject {
        /// The values that the object was created with; Apple's type does not expose them.
        public let wanted: PretendWindow.Callback

        public required init(_ wanted: PretendWindow.Callback) {
            self.wanted = wanted
        }

        /// Apple's type raises an Objective-C exception for an invalid scheme.
        open class func customScheme(_ customScheme: String) -> Self {
            precondition(!customScheme.isEmpty && !customScheme.contains { ":/?#".contains($0) }, "NSInvalidArgumentException")
            return Self(.customScheme(customScheme))
        }

        open class func https(host: String, path: String) -> Self {
            Self(.https(host: host, path: path))
        }
    }
}

public struct ASWebAuthenticationSessionError: CustomNSError, @unchecked Sendable {  // tests put only strings into it
    /// Apple's type is an imported enumeration, which can have any raw value.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        public static let canceledLogin = Self(rawValue: 1)
        public static let presentationContextNotProvided = Self(rawValue: 2)
        public static let presentationContextInvalid = Self(rawValue: 3)
    }

    public static var errorDomain: String { "com.apple.AuthenticationServices.WebAuthenticationSession" }

    public let code: Code
    public let userInfo: [String: Any]

    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        self.userInfo = userInfo
    }

    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] { userInfo }
}
