#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A browser that is installed, and how: packaged ones cannot use every folder.
struct BrowserProgram: Sendable, Hashable {
    enum Packaging: Sendable, Hashable {
        case native
        /// Sees neither temporary nor hidden folders; what it may use is `~/snap/NAME/common`.
        case snap(String)
        /// Sees its own folders alone, and runs where its process cannot be followed.
        case flatpak
    }

    let path: String
    let packaging: Packaging

    /// The name to tell the person.
    var name: String { BrowserCommand(words: [path]).name }

    /// - Returns: nil where no program of this name, or at this path, is installed.
    init?(_ name: String, in environment: [String: String]) {
        guard let path = environment.findProgram(name) else { return nil }
        let head = readSmallFile(path).flatMap { $0.hasPrefix("#!") ? $0 : nil }
        self.path = path
        packaging = Packaging(path: path, target: realPath(path), script: head)
    }
}

extension BrowserProgram.Packaging {
    /// - Parameters:
    ///   - path: Where the program was found.
    ///   - target: The same without symbolic links.
    ///   - script: How it begins, where it is a script.
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

    /// The name after `/snap/bin/`, which may go on with that of one of its programs, or after `/snap/`, where it is mounted.
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
    /// The first of these that can be used for a sign-in that keeps nothing.
    ///
    /// - Parameters:
    ///   - named: What the program asked for; nil leaves the choice.
    ///   - names: What is looked for then, in this order.
    ///   - kind: What to call it, such as “Firefox”.
    /// - Throws: ``WebAuthenticationError`` with `.cannotShow`, and what to install.
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

    /// A fresh profile for it, after what killed sign-ins left behind has been removed.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotShow`, naming the folders that were tried.
    func makeProfile(_ environment: [String: String]) async throws(WebAuthenticationError) -> TemporaryProfile {
        let folders = try profileFolders(environment)
        await OrphanedProfiles.remove(from: folders)
        return try TemporaryProfile(in: folders)
    }

    /// The folders its profile may lie in, the best first.
    func profileFolders(_ environment: [String: String]) throws(WebAuthenticationError) -> [String] {
        guard case .snap(let snap) = packaging else {
            let folders = [environment.nonEmpty("XDG_RUNTIME_DIR"), environment.nonEmpty("TMPDIR"), "/tmp"].compactMap(\.self)
            return folders.enumerated().filter { $1.hasPrefix("/") && !folders[..<$0].contains($1) }.map(\.element)
        }
        guard let home = environment.nonEmpty("HOME"), home.hasPrefix("/") else {
            throw WebAuthenticationError(.cannotShow, "\(name) is a Snap, which needs a home folder, and HOME is not set")
        }
        // Made when the Snap first runs; folders that are there already do no harm to it.
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
