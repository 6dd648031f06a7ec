import Platform

/// An installed browser, and how it is packaged: packages cannot use every folder.
struct BrowserProgram: Sendable, Hashable {
    enum Packaging: Sendable, Hashable {
        case native
        /// It cannot access temporary or hidden folders; it may use `~/snap/NAME/common`.
        case snap(String)
        /// It can only access its own folders, and its process cannot be observed.
        case flatpak
    }

    let path: String
    let packaging: Packaging

    /// The name for messages to the user.
    var name: String { BrowserCommand(words: [path]).name }

    /// Finds an installed browser.
    ///
    /// - Returns: nil if no program with this name, or at this path, is installed.
    init?(_ name: String, in environment: [String: String]) {
        guard let path = environment.findProgram(name) else { return nil }
        let head = readSmallFile(path).flatMap { $0.hasPrefix("#!") ? $0 : nil }
        self.path = path
        packaging = Packaging(path: path, target: realPath(path), script: head)
    }
}

extension BrowserProgram.Packaging {
    /// Creates a program.
    ///
    /// - Parameters:
    ///   - path: The path where the program was found.
    ///   - target: The path without symbolic links.
    ///   - script: The start of the file, if it is a script.
    init(path: String, target: String, script: String?) {
        let launchers = [path, target, script ?? ""]
        if let name = launchers.lazy.compactMap({ Self.snapName(in: $0) }).first {
            self = .snap(name)
        } else if path.contains("/flatpak/exports/bin/") || target.contains("/flatpak/exports/bin/")
            || script?.contains("flatpak run") == true
        {
            self = .flatpak
        } else {
            self = .native
        }
    }

    /// Returns the name after `/snap/bin/`, which may be followed by the name of one of its programs, or after `/snap/`, where it is
    /// mounted.
    private static func snapName(in text: String) -> String? {
        let isScript = text.hasPrefix("#!")
        for marker in isScript ? ["/snap/bin/"] : ["/snap/bin/", "/snap/"] {
            guard let range = text.firstRange(of: marker), isScript || range.lowerBound == text.startIndex || marker == "/snap/bin/" else {
                continue
            }
            let name = text[range.upperBound...].prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
            if !name.isEmpty { return String(name) }
        }
        return nil
    }
}

extension BrowserProgram {
    /// Finds the first of these browsers that can be used for an ephemeral sign-in.
    ///
    /// - Parameters:
    ///   - named: The browser that the program requested; nil for any.
    ///   - names: The browsers to look for in that case, in this order.
    ///   - kind: The name of the kind for messages, such as “Firefox”.
    /// - Throws: ``WebAuthenticationError`` with `.cannotShow`, and advice on what to install.
    static func find(
        named: String?, else names: [String], kind: String, in environment: [String: String]
    ) throws(WebAuthenticationError) -> Self {
        let found = (named.map { [$0] } ?? names).compactMap { Self($0, in: environment) }
        if let usable = found.first(where: { $0.packaging != .flatpak }) { return usable }
        let instead = "or sign in with your default browser"
        if let unusable = found.first {
            throw WebAuthenticationError(
                .cannotShow,
                "\(unusable.name) is a Flatpak, which cannot use another profile folder; install \(kind) as a system package \(instead)"
            )
        }
        throw WebAuthenticationError(
            .cannotShow,
            named.map { "\($0) is not installed; name another \(kind), \(instead)" }
                ?? "a private sign-in needs \(kind), which is not installed; install \(names[0]), \(instead)")
    }

    /// Creates a fresh profile for it, after removing the profiles that killed sign-ins have left behind.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotShow`, naming the attempted folders.
    func makeProfile(_ environment: [String: String]) async throws(WebAuthenticationError) -> TemporaryProfile {
        let folders = try profileFolders(environment)
        await OrphanedProfiles.remove(from: folders)
        return try TemporaryProfile(in: folders)
    }

    /// Returns the possible folders for its profile, in order of preference.
    func profileFolders(_ environment: [String: String]) throws(WebAuthenticationError) -> [String] {
        guard case .snap(let snap) = packaging else {
            let folders = [environment.nonEmpty("XDG_RUNTIME_DIR"), environment.nonEmpty("TMPDIR"), "/tmp"].compactMap(\.self)
            return folders.enumerated().filter { $1.hasPrefix("/") && !folders[..<$0].contains($1) }.map(\.element)
        }
        guard let home = environment.nonEmpty("HOME"), home.hasPrefix("/") else {
            throw WebAuthenticationError(.cannotShow, "\(name) is a Snap, which needs a home folder, and HOME is not set")
        }
        // The Snap creates it when it first runs; it accepts folders that exist already.
        let common = "\(home)/snap/\(snap)/common"
        for folder in ["\(home)/snap", "\(home)/snap/\(snap)", common] { mkdir(folder, 0o700) }
        return [common]
    }
}

private func realPath(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
}
