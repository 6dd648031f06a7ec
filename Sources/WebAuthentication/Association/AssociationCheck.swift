import AuthHubPrimitives

/// A check of an association file, and of the response that contained it, by the rules of Apple's systems.
///
/// Apple documents neither every rule nor the reasons for a rejection: a file without findings breaks no documented rule.
public struct AssociationCheck: Sendable {
    /// A problem, and what to do about it.
    public struct Finding: Error, Sendable, Hashable, CustomStringConvertible {
        public let description: String
    }

    /// The app that the file must name; if nil, any app.
    public var app: ApplicationIdentifier?
    /// The path of the callback, which links must cover if ``needsLinks`` is set.
    public var path: String
    /// Whether `applinks` is required, too.
    public var needsLinks: Bool

    /// The largest accepted file in bytes.
    public static let maximumBytes = 128 * 1024

    public init(app: ApplicationIdentifier? = nil, path: String = "/callback", needsLinks: Bool = false) {
        self.app = app
        self.path = path
        self.needsLinks = needsLinks
    }

    /// Checks how the file was served: status 200, no redirect, as JSON.
    public func findings(status: Int, contentType: String?, location: String?) -> [Finding] {
        var findings: [Finding] = []
        switch status {
        case 200: break
        case 300..<400:
            findings.append(
                .init("the address redirects\(location == nil ? "" : " elsewhere"); the file has to be served where it is asked for"))
        default: findings.append(.init("the answer has status \(status), not 200; serve the file at \(AssociationFile.path)"))
        }
        let type = contentType?.split(separator: ";").first.map { String($0.filter { !$0.isWhitespace }).lowercased() }
        if status == 200, type != "application/json", type != "application/pkcs7-mime" {
            findings.append(
                .init("the Content-Type is \(type.map { displayable($0, limit: 60) } ?? "missing"); serve the file as application/json"))
        }
        return findings
    }

    /// Checks the contents of the file.
    public func findings(in bytes: [UInt8]) -> [Finding] {
        guard bytes.count <= Self.maximumBytes else {
            return [.init("the file has \(bytes.count) bytes; more than \(Self.maximumBytes) are not read")]
        }
        let file: JSONValue
        do {
            file = try JSONValue(strict: bytes)
        } catch {
            return [.init("the file is not JSON: \(error)")]
        }
        guard case .object = file else { return [.init("the file is JSON, but no object")] }
        return credentialFindings(file["webcredentials"]) + (needsLinks ? linkFindings(file["applinks"]) : [])
    }
}

extension AssociationCheck.Finding {
    fileprivate init(_ text: String) {
        description = text
    }
}

extension AssociationCheck {
    private func credentialFindings(_ service: JSONValue?) -> [Finding] {
        guard let service else {
            return [.init("there is no “webcredentials”, which callbacks of an authentication session need; “applinks” does not do")]
        }
        guard let apps = service["apps"]?.array else { return [.init("“webcredentials” holds no array “apps”")] }
        return nameFindings(apps, in: "webcredentials")
            + (named(in: apps) ? [] : [.init("“webcredentials” does not name \(app?.description ?? "any app")")])
    }

    private func linkFindings(_ service: JSONValue?) -> [Finding] {
        guard let details = service?["details"]?.array else { return [.init("there is no “applinks” with an array “details”")] }
        var findings: [Finding] = []
        var isNamed = false
        for detail in details {
            let apps = detail["appIDs"]?.array ?? (detail["appID"].map { [$0] } ?? [])
            findings += nameFindings(apps, in: "applinks")
            guard named(in: apps) else { continue }
            isNamed = true
            switch cover(of: detail) {
            case true?: return findings
            case false?: continue
            case nil: return findings + [.init("whether “applinks” covers \(path) cannot be told: a pattern holds a substitution variable")]
            }
        }
        let app = app?.description ?? "any app"
        return findings + [.init(isNamed ? "“applinks” names \(app), but does not cover \(path)" : "“applinks” does not name \(app)")]
    }

    private func named(in apps: [JSONValue]) -> Bool {
        guard let app else { return apps.contains { $0.string.flatMap(ApplicationIdentifier.init) != nil } }
        return apps.contains { $0.string == app.description }
    }

    private func nameFindings(_ apps: [JSONValue], in service: String) -> [Finding] {
        apps.compactMap { name in
            guard let text = name.string else { return Finding("“\(service)” names an app by something else than text") }
            guard ApplicationIdentifier(text) == nil else { return nil }
            return Finding(
                "“\(displayable(text, limit: 100))” in “\(service)” is no app: ten characters of the team, a dot, the bundle identifier")
        }
    }

    /// Returns whether the path is covered: the first matching pattern decides. nil if unknown.
    private func cover(of detail: JSONValue) -> Bool? {
        for component in detail["components"]?.array ?? [] {
            let pattern = LinkPattern(
                text: component["/"]?.string ?? "*", isCaseSensitive: component["caseSensitive"].map { $0 != .bool(false) } ?? true)
            guard pattern.isJudged else { return nil }
            if pattern.matches(path) { return component["exclude"] != .bool(true) }
        }
        for case .string(let text) in detail["paths"]?.array ?? [] {
            let isExcluded = text.hasPrefix("NOT ")
            if LinkPattern(text: isExcluded ? String(text.dropFirst(4)) : text).matches(path) { return !isExcluded }
        }
        return false
    }
}
