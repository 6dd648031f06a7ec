import WebAuthentication

/// The checks of the user's session: the browser, the display and the message bus.
struct DesktopChecks: Sendable {
    let environment: [String: String]
    /// Connects to a Unix socket; returns the reason if that is not possible.
    var connect: @Sendable (_ path: String, _ isAbstract: Bool) -> String? = { SocketProbe.connect(to: $0, isAbstract: $1) }

    private static let otherDevice = "authhub login PROVIDER --flow device"

    var findings: [Finding] { [browser, display, bus] }

    var browser: Finding {
        let facts = BrowserFacts(environment: environment)
        if let problem = facts.problemOfSetting { return .fail("browser", problem, next: "unset AUTHHUB_BROWSER") }
        do {
            return .ok("browser", try BrowserChoice(given: facts).reason)
        } catch {
            return .warn("browser", error.message, next: Self.otherDevice)
        }
    }

    var display: Finding {
        if let name = value("WAYLAND_DISPLAY") {
            let path = name.hasPrefix("/") ? name : "\(value("XDG_RUNTIME_DIR") ?? "")/\(name)"
            guard let problem = connect(path, false) else { return .ok("display", "Wayland at \(path)") }
            return .fail("display", "WAYLAND_DISPLAY is \(name), but nothing listens at \(path): \(problem)", next: "unset WAYLAND_DISPLAY")
        }
        guard let name = value("DISPLAY") else {
            return .warn("display", "neither DISPLAY nor WAYLAND_DISPLAY is set, so no browser can start", next: Self.otherDevice)
        }
        guard let colon = name.lastIndex(of: ":"), ["", "unix"].contains(name[..<colon]) else {
            return .ok("display", "X11 at \(name), which is forwarded from another machine")
        }
        let path = "/tmp/.X11-unix/X\(name[colon...].dropFirst().prefix { $0 != "." })"
        guard let problem = connect(path, false), connect(path, true) != nil else { return .ok("display", "X11 at \(name)") }
        return .fail("display", "DISPLAY is \(name), but nothing listens at \(path): \(problem)", next: "unset DISPLAY")
    }

    var bus: Finding {
        let addresses = value("DBUS_SESSION_BUS_ADDRESS")?.split(separator: ";").filter { !$0.hasPrefix("autolaunch:") } ?? []
        guard let address = addresses.first else {
            let path = "\(value("XDG_RUNTIME_DIR") ?? "")/bus"
            guard connect(path, false) != nil else { return .ok("message bus", path) }
            return .warn(
                "message bus", "there is no message bus for this session, so no keyring can be used",
                next: "authhub login PROVIDER --store file")
        }
        let reset = "unset DBUS_SESSION_BUS_ADDRESS"
        for (prefix, isAbstract) in [("unix:path=", false), ("unix:abstract=", true)] where address.hasPrefix(prefix) {
            let path = String(address.dropFirst(prefix.count).prefix { $0 != "," })
            guard let problem = connect(path, isAbstract) else { return .ok("message bus", path) }
            return .fail("message bus", "DBUS_SESSION_BUS_ADDRESS names \(path), but nothing listens there: \(problem)", next: reset)
        }
        guard !address.hasPrefix("tcp:"), !address.hasPrefix("nonce-tcp:") else {
            return .fail("message bus", "the message bus has a network address, whose owner cannot be determined", next: reset)
        }
        return .ok("message bus", "at an address that is not checked")
    }

    private func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
}
