#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The window of one ``EphemeralChromium``; its profile goes when its process has ended, whoever ended it.
final class ChromiumWindow: BrowserWindow {
    private struct Ending: Sendable {
        let exit: BrowserProcess.Exit
        let usedProfile: Bool
    }

    private let name: String
    private let process: BrowserProcess
    private let ending: Task<Ending, Never>

    /// - Parameter inbox: Where callbacks of a scheme of the program's own come in; let go of with the profile.
    init(name: String, process: BrowserProcess, profile: TemporaryProfile, inbox: SchemeInbox? = nil) {
        self.name = name
        self.process = process
        ending = Task {
            let exit = await process.exit
            // Written once the display has been found and the profile opened; what ends earlier has shown nothing.
            let usedProfile = FileManager.default.fileExists(atPath: "\(profile.path)/Last Version")
            await inbox?.close()
            profile.remove()
            return Ending(exit: exit, usedProfile: usedProfile)
        }
    }

    func closed() async -> WebAuthenticationError {
        await failure()
    }

    func close() async {
        process.terminate()
        await end(patience: .zero)
    }

    /// What the end of the process means.
    ///
    /// - Parameters:
    ///   - wasShown: Whether there was a window; told by what the profile holds if nil.
    ///   - patience: How long to wait before it is made to end.
    func failure(wasShown: Bool? = nil, patience: Duration? = nil) async -> WebAuthenticationError {
        if let patience { await end(patience: patience) }
        let ending = await ending.value
        let code: WebAuthenticationError.Code = wasShown ?? ending.usedProfile ? .browserVanished : .cannotShow
        return switch ending.exit {
        case .status(0), .unknown: .closedByPerson
        case .status(let status): WebAuthenticationError(code, "\(name) ended with status \(status)")
        case .signal(let signal): WebAuthenticationError(code, "\(name) was ended by signal \(signal)")
        }
    }

    /// That it cannot be talked to.
    func unusable(_ reason: String) -> WebAuthenticationError {
        WebAuthenticationError(.cannotShow, "\(name) cannot be used: \(reason)")
    }

    /// Waits until it has ended; ever more firmly, where it takes longer.
    ///
    /// - Parameter patience: Before it is asked to end.
    func end(patience: Duration) async {
        let force = Task { [process] in
            guard (try? await Task.sleep(for: patience)) != nil else { return }
            process.terminate()
            guard (try? await Task.sleep(for: .seconds(3))) != nil else { return }
            process.kill()
        }
        _ = await ending.value
        force.cancel()
    }
}

extension WebAuthenticationError {
    static var closedByPerson: Self { Self(.cancelledByPerson, "the window was closed") }
}
