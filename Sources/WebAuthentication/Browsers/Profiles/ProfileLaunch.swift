/// A browser that is about to be started with a fresh profile.
struct ProfileLaunch: Sendable {
    let program: BrowserProgram
    let profile: TemporaryProfile
    private let environment: [String: String]
    private let shownMark: String
    private let inbox: SchemeInbox?

    /// Creates the profile, after removing the profiles that killed sign-ins have left behind.
    ///
    /// - Parameters:
    ///   - environment: The variables that the browser inherits, except our own secrets.
    ///   - shownMark: A file that the browser writes to its profile after it has found a display and before its window opens.
    ///   - callbacks: The receiver of callbacks of a custom scheme, if the browser delivers any.
    ///   - setUp: Writes files to the profile, and returns variables for the browser.
    init(
        _ program: BrowserProgram, environment: [String: String], shownMark: String, callbacks: CapturedCallbacks?,
        setUp: (TemporaryProfile) throws -> [String: String]
    ) async throws {
        self.program = program
        self.shownMark = shownMark
        profile = try await program.makeProfile(environment)
        do {
            var own = try setUp(profile)
            if let callbacks, !callbacks.address.isHTTPS {
                inbox = try await SchemeInbox.open(in: profile, scheme: callbacks.address.scheme) { url in
                    guard let callback = callbacks.address.callback(in: url) else { return }
                    callbacks.arrived(callback, from: ExternalProgram())
                }
                own.merge(SchemeInbox.environment(profile, inheriting: environment)) { $1 }
            } else {
                inbox = nil
            }
            self.environment = environment.merging(own) { $1 }
        } catch {
            await profile.remove()
            throw error
        }
    }

    /// Opens the window.
    ///
    /// - Parameter descriptors: Become the browser's descriptors 3, 4 and so on.
    func start(arguments: [String], descriptors: [Int32] = []) async throws -> ProfileWindow {
        do {
            let process = try BrowserProcess(
                path: program.path, arguments: [program.path] + arguments, environment: environment, endsGroup: true,
                descriptors: descriptors)
            profile.belongs(to: process.processID)
            return ProfileWindow(name: program.name, process: process, profile: profile, shownMark: shownMark, inbox: inbox)
        } catch {
            await letGo()
            throw error
        }
    }

    /// Removes everything if nothing was started.
    func letGo() async {
        await inbox?.close()
        await profile.remove()
    }

    /// A program that delivers a callback and cannot show the result: the window that led to it still shows its previous page.
    private struct ExternalProgram: CallbackBearer {
        func answer(_ page: ResultPage) {}
    }
}
