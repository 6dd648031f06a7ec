#if canImport(SwiftUI)
import AuthHubApp
import AuthHubViews
import Foundation
import SwiftUI

@main
struct AuthHubAppleApp: App {
    #if os(macOS)
    @NSApplicationDelegateAdaptor private var delegate: AppDelegate
    #endif
    @Environment(\.scenePhase) private var scenePhase
    @State private var start = Start.live

    var body: some Scene {
        WindowGroup("AuthHub") {
            switch start {
            case .ready(let model): AppView(model)
            case .failed(let problem): StartProblemView(problem) { start = .live }
            }
        }
        .defaultSize(width: 560, height: 720)
        // All windows would show the same account.
        .commands { CommandGroup(replacing: .newItem) {} }
        .onChange(of: scenePhase, initial: true) { _, phase in
            guard case .ready(let model) = start else { return }
            ForegroundApp.finish = { await model.finish() }
            if phase == .background { model.goToBackground() }
        }
    }
}
#else
/// A placeholder on other systems, which have other windows: Apps/GTK for Linux.
@main
enum AuthHubAppleApp {
    static func main() {
        print("This app runs on macOS and iOS; on Linux, use authhub-gtk.")
    }
}
#endif
