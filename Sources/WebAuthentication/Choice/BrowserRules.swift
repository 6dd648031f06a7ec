/// The rules of ``BrowserChoice``.
struct BrowserRules: Sendable {
    let wish: BrowserWish
    let facts: BrowserFacts

    typealias Answer = (browser: BrowserChoice.Browser, reason: String)

    func choose() throws(WebAuthenticationError) -> Answer {
        switch wish.browser {
        case .none: return try byHand()
        case .command(let command): return try opened(by: command)
        case .chromium:
            return needsOwnProfile ? try ephemeralChromium() : try personsOwn(facts.chromium, "Chromium", install: "chromium")
        case .firefox: return try namedFirefox()
        case .default:
            guard !facts.isSwitchedOff else { throw cannotShow("\(facts.reach.reason); \(Self.withoutBrowser)") }
            switch wish.callback {
            case .https: return try ephemeralChromium()
            case .customScheme: return try withCustomScheme()
            case .loopback: return promises.isEmpty ? try usual() : try ephemeral()
            }
        }
    }

    /// - Parameter opener: Of a browser with a profile of its own, it knows best.
    func capabilities(of browser: BrowserChoice.Browser, _ opener: any PageOpener) -> WebAuthenticationCapabilities {
        switch browser {
        case .ephemeralChromium, .ephemeralFirefox: opener.capabilities
        case .usual, .command, .byHand:
            WebAuthenticationCapabilities(
                callbacks: facts.isSchemeRegistered ? [.loopback, .customScheme] : [.loopback], knowsCancel: false, isEphemeral: false)
        }
    }

    /// What only a browser with a profile of its own keeps, in words.
    private var promises: String {
        [wish.ephemeral ? "keeps nothing" : nil, wish.knowsCancel ? "tells when its window is closed" : nil].compactMap(\.self)
            .joined(separator: " and ")
    }

    private var needsOwnProfile: Bool { !promises.isEmpty || wish.callback != .loopback }
}

// MARK: Browsers with the person's own sessions

extension BrowserRules {
    private func usual() throws(WebAuthenticationError) -> Answer {
        let reach = facts.reach
        guard reach.canOpen else { throw cannotShow("\(reach.reason); \(Self.withoutBrowser)") }
        if wish.callback == .loopback, !reach.reachesLoopback { throw cannotReceive("\(reach.reason); \(Self.withoutBrowser)") }
        guard let opener = facts.opener else {
            throw cannotShow("nothing here opens pages; install xdg-utils, or name a browser command in AUTHHUB_BROWSER")
        }
        return (.usual, "the page opens in the usual browser, by \(opener): \(reach.reason)")
    }

    private func byHand() throws(WebAuthenticationError) -> Answer {
        guard promises.isEmpty else {
            throw cannotShow("no browser is to be started, so that nobody can promise one that \(promises); name chromium or firefox")
        }
        try requireHandler("a page that is opened by hand brings back")
        let place = wish.callback == .loopback ? " in a browser on this machine, or elsewhere with its port forwarded by ssh -L" : ""
        return (.byHand, "no browser is started, as asked for: open the page\(place)")
    }

    private func opened(by command: String) throws(WebAuthenticationError) -> Answer {
        let name = BrowserCommand(command)?.name ?? command
        guard promises.isEmpty else {
            throw cannotShow("nobody can promise that the browser opened by \(name) \(promises); name chromium or firefox")
        }
        try requireHandler("a browser opened by \(name) brings back")
        return (.command(command), "the page opens by \(name), as asked for")
    }

    private func personsOwn(
        _ program: BrowserFacts.Program, _ kind: String, install package: String
    ) throws(WebAuthenticationError) -> Answer {
        if let problem = facts.missingScreen { throw cannotShow("\(kind) cannot be started: \(problem); \(Self.withoutBrowser)") }
        switch program {
        case .installed(let path), .withoutProfiles(let path):
            return (.command(path), "the page opens in your \(kind), as asked for")
        case .missing: throw cannotShow("\(kind) is not installed; install \(package), or take the usual browser")
        }
    }

    /// Callbacks of a scheme come back to us from any browser, where the system knows who takes them; all others only by loopback.
    private func requireHandler(_ subject: String) throws(WebAuthenticationError) {
        switch wish.callback {
        case .loopback: return
        case .customScheme where facts.isSchemeRegistered: return
        case .customScheme:
            throw cannotReceive("\(subject) callbacks of a custom scheme only where it is registered; \(Self.otherCallback)")
        case .https: throw cannotReceive("\(subject) no https callbacks; \(Self.otherCallback)")
        }
    }
}

// MARK: Browsers with a profile of their own

extension BrowserRules {
    private func ephemeral() throws(WebAuthenticationError) -> Answer {
        if let problem = facts.missingScreen {
            throw cannotShow("a browser that \(promises) cannot be started: \(problem); \(Self.withoutBrowser)")
        }
        if case .installed = facts.chromium { return try ephemeralChromium() }
        if case .installed(let path) = facts.firefox {
            return (.ephemeralFirefox(path: path), "a Firefox with a profile of its own \(promises); there is no Chromium")
        }
        throw cannotShow("a browser that \(promises) needs Chromium or Firefox, and \(missing); install chromium or firefox")
    }

    private func ephemeralChromium() throws(WebAuthenticationError) -> Answer {
        let purpose =
            switch wish.callback {
            case .https: "brings https callbacks"
            case .customScheme: "brings callbacks of a custom scheme"
            case .loopback: promises
            }
        let fail = { (text: String) in
            wish.callback == .loopback ? cannotShow(text) : cannotReceive("\(text); \(Self.otherCallback)")
        }
        if let problem = facts.missingScreen { throw fail("only a Chromium of its own \(purpose), and it cannot be started: \(problem)") }
        switch facts.chromium {
        case .installed(let path): return (.ephemeralChromium(path: path), "a Chromium with a profile of its own \(purpose)")
        case .withoutProfiles:
            throw fail("only a Chromium of its own \(purpose), and a Flatpak cannot have one; install chromium as a package of the system")
        case .missing: throw fail("only a Chromium of its own \(purpose), and none is installed; install chromium")
        }
    }

    private func namedFirefox() throws(WebAuthenticationError) -> Answer {
        if promises.isEmpty {
            try requireHandler("Firefox brings back")
            return try personsOwn(facts.firefox, "Firefox", install: "firefox")
        }
        guard wish.callback == .loopback else {
            throw cannotReceive(
                "a Firefox that \(promises) brings back loopback callbacks alone; name chromium, or use a loopback redirect URI")
        }
        if let problem = facts.missingScreen { throw cannotShow("Firefox cannot be started: \(problem); \(Self.withoutBrowser)") }
        switch facts.firefox {
        case .installed(let path): return (.ephemeralFirefox(path: path), "a Firefox with a profile of its own \(promises), as asked for")
        case .withoutProfiles:
            throw cannotShow("a Firefox that is a Flatpak cannot have a profile of its own; install firefox as a package of the system")
        case .missing: throw cannotShow("Firefox is not installed; install firefox, or name chromium")
        }
    }

    /// A browser of our own comes first: no other program can claim its callbacks (RFC 8252 §8.6).
    private func withCustomScheme() throws(WebAuthenticationError) -> Answer {
        do {
            return try ephemeralChromium()
        } catch {
            guard facts.isSchemeRegistered, promises.isEmpty else { throw error }
            let answer = try usual()
            return (answer.browser, "\(answer.reason); the handler of the scheme brings the callback back")
        }
    }

    private var missing: String {
        switch (facts.chromium, facts.firefox) {
        case (.missing, .missing): "neither is installed"
        default: "what is installed is a Flatpak, which cannot have a profile of its own"
        }
    }
}

// MARK: What to do instead

extension BrowserRules {
    private static let withoutBrowser =
        "open the page by hand (browser “none”), with its port forwarded by ssh -L where that is on another machine, or use a device code"
    private static let otherCallback = "use a loopback redirect URI instead"

    private func cannotShow(_ explanation: String) -> WebAuthenticationError { WebAuthenticationError(.cannotShow, explanation) }
    private func cannotReceive(_ explanation: String) -> WebAuthenticationError { WebAuthenticationError(.cannotReceive, explanation) }
}
