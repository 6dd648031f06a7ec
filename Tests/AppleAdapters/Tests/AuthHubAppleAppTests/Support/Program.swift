import AuthHubApp
import AuthHubPrimitives
import AuthHubTesting
import AuthenticationServices
import CredentialStorage
import Foundation
import OAuthProtocol
import SwiftUI
import UIKit
import WebAuthentication

@testable import AuthHubAppleApp
@testable import AuthHubViews

/// The app, its user, and the system that it runs on.
@MainActor
struct Program {
    static let gitHub =
        #"{"provider": "github", "client_id": "id", "client_secret_file": "s", "redirect_uri": "com.example.app:/callback"}"#
    static let aniList = #"{"provider": "anilist", "client_id": "7", "redirect_uri": "https://anilist.co/api/v2/oauth/pin"}"#

    let system = PretendSystem()
    let model: AppModel
    let stage: Stage
    private let window: UIWindow
    private let scene: UIWindowScene

    init(
        _ settings: String = gitHub, _ others: String..., services: Services, store: any CredentialStore = MemoryCredentialStore(),
        hasWindow: Bool = true
    ) throws {
        func provider(_ settings: String) throws -> AppProvider {
            try AppProvider(ClientSettings(Array(settings.utf8), file: "test"), secret: Secret("s"), file: "test")
        }
        model = AppModel(
            try provider(settings), try others.map { try provider($0) }, store: store, browsers: .ofApple,
            dependencies: services.dependencies)
        stage = Stage(AppView(model))
        scene = UIWindowScene()
        window = UIWindow()
        scene.activationState = .foregroundActive
        scene.keyWindow = window
        window.windowScene = scene
        UIApplication.shared.connectedScenes = hasWindow ? [scene] : []
    }

    /// The actions of the user, within this program's own system.
    func press(_ name: String, _ kind: Node.Kind = .button) {
        PretendSystem.$current.withValue(system) { stage.press(name, kind) }
    }

    /// Returns the next window that the system shows, and whether it is ephemeral.
    func nextWindow() async -> (window: PretendWindow, isEphemeral: Bool)? {
        guard let window = await system.nextWindow() else { return nil }
        return (window, window.isEphemeral == true)
    }

    /// Signs in, and waits for the next screen.
    func signIn() async throws -> Node {
        press("Sign In")
        guard let window = await system.nextWindow() else { return stage.tree }
        try consent(in: window)
        return await stage.until { $0.offersSignOut }
    }

    func consent(in window: PretendWindow) throws {
        let query = URLComponents(url: window.url, resolvingAgainstBaseURL: false)?.queryItems
        let state = query?.first { $0.name == "state" }?.value ?? ""
        window.end(URL(string: "com.example.app:/callback?code=c&state=\(state)"), nil)
    }

    func close(_ window: PretendWindow) {
        window.end(nil, ASWebAuthenticationSessionError(.canceledLogin))
    }

    /// Waits until the user's own browser has opened a page whose URL has this prefix.
    static func untilOpened(_ prefix: String) async {
        for await page in UIApplication.shared.pages where page.absoluteString.hasPrefix(prefix) { return }
    }

    static var backgroundTaskCount: Int { UIApplication.shared.backgroundTasks.count }
}

extension Node {
    /// Whether a user is signed in, and can sign out.
    var offersSignOut: Bool { named("Sign Out Here") != nil || named("Sign Out") != nil }
}
