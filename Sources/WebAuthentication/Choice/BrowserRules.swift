extension CallbackMethod.Kind {
    /// Whether the callback does not require a browser with a separate profile.
    fileprivate var needsNoProfile: Bool { self == .loopback || self == .pinPage }
}

/// The rules of ``BrowserChoice``.
struct BrowserRules: Sendable {
    let requirements: BrowserRequirements
    let facts: BrowserFacts

    typealias Answer = (browser: BrowserChoice.Browser, reason: String)

    func choose() throws(WebAuthenticationError) -> Answer {
        switch requirements.browser {
        case .none: return try byHand()
        case .command(let command): return try opened(by: command)
        case .chromium, .firefox:
            let family = requirements.browser == .chromium ? Family.chromium : .firefox
            return needsOwnProfile ? try ownProfile([family]) : try personsOwn(family)
        case .default:
            guard !facts.isSwitchedOff else { throw cannotShow("\(facts.reach.reason); \(Self.withoutBrowser)") }
            guard needsOwnProfile else { return try usual() }
            do {
                // First, because no other program can claim its callbacks (RFC 8252 §8.6).
                return try ownProfile(Family.allCases)
            } catch {
                guard requirements.callback == .customScheme, facts.isSchemeRegistered, promises.isEmpty else { throw error }
                let answer = try usual()
                return (answer.browser, "\(answer.reason); the scheme's handler delivers the callback")
            }
        }
    }

    /// Returns the capabilities of a browser.
    ///
    /// - Parameter opener: The opener, whose own capabilities count for a browser with a separate profile.
    func capabilities(of browser: BrowserChoice.Browser, _ opener: any PageOpener) -> WebAuthenticationCapabilities {
        switch browser {
        case .ephemeralChromium, .ephemeralFirefox: opener.capabilities
        case .usual, .command, .byHand:
            WebAuthenticationCapabilities(
                callbacks: facts.isSchemeRegistered ? [.loopback, .customScheme] : [.loopback], knowsCancel: false, isEphemeral: false)
        }
    }

    /// The requirements that only a browser with a separate profile meets.
    private var promises: [String] {
        [requirements.ephemeral ? "leaves nothing behind" : nil, requirements.knowsCancel ? "reports when its window is closed" : nil]
            .compactMap(\.self)
    }

    private var needsOwnProfile: Bool { !promises.isEmpty || !requirements.callback.needsNoProfile }
}

// MARK: Browsers with the user's own sessions

extension BrowserRules {
    private func usual() throws(WebAuthenticationError) -> Answer {
        let reach = facts.reach
        guard reach.canOpen else { throw cannotShow("\(reach.reason); \(Self.withoutBrowser)") }
        if requirements.callback == .loopback, !reach.reachesLoopback { throw cannotReceive("\(reach.reason); \(Self.withoutBrowser)") }
        if let problem = facts.problemOfSetting { throw cannotShow("\(problem); correct it, or unset it to use your default browser") }
        guard let opener = facts.opener else {
            throw cannotShow("no program to open pages was found; install xdg-utils, or name a browser command in AUTHHUB_BROWSER")
        }
        return (.usual, "the page opens in your default browser with \(opener): \(reach.reason)")
    }

    private func byHand() throws(WebAuthenticationError) -> Answer {
        guard promises.isEmpty else {
            throw cannotShow(
                "it is unknown whether a browser that you open yourself \(inWords(promises)); name chromium or firefox")
        }
        try requireHandler("a page that you open yourself")
        let place = requirements.callback == .loopback ? " in a browser on this machine, or on another one if ssh -L forwards the port" : ""
        return (.byHand, "no browser is started, as requested; open the page\(place)")
    }

    private func opened(by command: String) throws(WebAuthenticationError) -> Answer {
        let name = BrowserCommand(command)?.name ?? command
        guard promises.isEmpty else {
            throw cannotShow("it is unknown whether the browser opened by \(name) \(inWords(promises)); name chromium or firefox")
        }
        try requireHandler("a browser opened by \(name)")
        return (.command(command), "the page opens with \(name), as requested")
    }

    private func personsOwn(_ family: Family) throws(WebAuthenticationError) -> Answer {
        if let problem = facts.missingScreen { throw cannotShow("\(family.name) cannot be started: \(problem); \(Self.withoutBrowser)") }
        switch family.program(facts) {
        case .installed(let path), .withoutProfiles(let path):
            return (.command(path), "the page opens in your \(family.name), as requested")
        case .missing: throw cannotShow("\(family.name) is not installed; install \(family.package), or use your default browser")
        }
    }

    /// Throws an error if a browser with the user's own sessions cannot deliver the callback.
    private func requireHandler(_ subject: String) throws(WebAuthenticationError) {
        switch requirements.callback {
        case .loopback, .pinPage: return
        case .customScheme where facts.isSchemeRegistered: return
        case .customScheme:
            throw cannotReceive("\(subject) only delivers custom-scheme callbacks if the scheme is registered; \(Self.otherCallback)")
        case .https: throw cannotReceive("\(subject) cannot deliver https callbacks; \(Self.otherCallback)")
        }
    }
}

// MARK: Browsers with a separate profile

extension BrowserRules {
    /// The browsers that can use a separate profile, the more capable one first.
    private enum Family: String, CaseIterable {
        case chromium = "Chromium"
        case firefox = "Firefox"

        var name: String { rawValue }
        var package: String { rawValue.lowercased() }

        func program(_ facts: BrowserFacts) -> BrowserFacts.Program { self == .chromium ? facts.chromium : facts.firefox }

        func browser(at path: String) -> BrowserChoice.Browser {
            self == .chromium ? .ephemeralChromium(path: path) : .ephemeralFirefox(path: path)
        }
    }

    /// Returns the first of these that is installed.
    private func ownProfile(_ families: [Family]) throws(WebAuthenticationError) -> Answer {
        let families = families.filter { requirements.callback != .https || $0 == .chromium }
        guard let last = families.last else { throw fail("only Chromium delivers https callbacks; name chromium") }
        let purpose = inWords(promises + (broughtCallbacks.map { [$0] } ?? []))
        let names = families.map(\.name).joined(separator: " or ")
        let packages = families.map(\.package).joined(separator: " or ")
        let wanted = "a browser that \(purpose) must be \(names) with a separate profile"
        if let problem = facts.missingScreen { throw fail("\(wanted), which cannot be started: \(problem)", Self.withoutBrowser) }
        for family in families {
            guard case .installed(let path) = family.program(facts) else { continue }
            let others = families.count > 1 && family == last ? "; no other browser is available" : ""
            return (family.browser(at: path), "\(family.name) with a separate profile \(purpose)\(others)")
        }
        guard families.allSatisfy({ $0.program(facts) == .missing }) else {
            throw fail("\(wanted), which a Flatpak does not support; install \(packages) as a system package")
        }
        throw fail("\(wanted), which is not installed; install \(packages)")
    }

    private var broughtCallbacks: String? {
        switch requirements.callback {
        case .loopback, .pinPage: nil
        case .customScheme: "delivers custom-scheme callbacks"
        case .https: "delivers https callbacks"
        }
    }

    /// Creates an error.
    ///
    /// - Parameter advice: What to do instead with a loopback callback.
    private func fail(_ explanation: String, _ advice: String? = nil) -> WebAuthenticationError {
        guard requirements.callback.needsNoProfile else { return cannotReceive("\(explanation); \(Self.otherCallback)") }
        return cannotShow(explanation + (advice.map { "; \($0)" } ?? ""))
    }
}

// MARK: What to do instead

extension BrowserRules {
    private static let withoutBrowser =
        "open the page yourself (browser “none”; from another machine, forward the port with ssh -L), or use a device code"
    private static let otherCallback = "use a loopback redirect URI instead"

    private func inWords(_ phrases: [String]) -> String { phrases.joined(separator: " and ") }

    private func cannotShow(_ explanation: String) -> WebAuthenticationError { WebAuthenticationError(.cannotShow, explanation) }
    private func cannotReceive(_ explanation: String) -> WebAuthenticationError { WebAuthenticationError(.cannotReceive, explanation) }
}
