import AuthHubPrimitives

/// Checks an association file and its response as Apple's systems do.
///
/// Apple does not document every rule, nor the reasons for a rejection. A file without findings breaks no documented rule.
package struct AssociationCheck: Sendable {
    /// A problem and how to solve it.
    package struct Finding: Error, Sendable, Hashable, CustomStringConvertible {
        package let description: String
    }

    /// The app that the file must name; nil allows any app.
    package var app: ApplicationIdentifier?
    /// The path of the callback, which links must cover if ``needsLinks`` is true.
    package var path: String
    /// Whether the file must have `applinks`, too.
    package var needsLinks: Bool

    /// The size of the largest accepted file, in bytes.
    package static let maximumBytes = 128 * 1024

    /// Creates a check. By default, it accepts any app and does not require `applinks`.
    package init(app: ApplicationIdentifier? = nil, path: String = "/callback", needsLinks: Bool = false) {
        self.app = app
        self.path = path
        self.needsLinks = needsLinks
    }

    /// Checks how the file was served: with status 200, without a redirect, as JSON.
    package func findings(status: Int, contentType: String?, location: String?) -> [Finding] {
        var findings: [Finding] = []
        switch status {
        case 200: break
        case 300..<400:
            findings.append(
                .init("the URL redirects\(location == nil ? "" : " elsewhere"); serve the file without a redirect"))
        default: findings.append(.init("the response has status \(status), not 200; serve the file at \(AssociationFile.path)"))
        }
        let type = contentType?.split(separator: ";").first.map { String($0.filter { !$0.isWhitespace }).lowercased() }
        if status == 200, type != "application/json", type != "application/pkcs7-mime" {
            findings.append(
                .init("the Content-Type is \(type.map { displayable($0, limit: 60) } ?? "missing"); serve the file as application/json"))
        }
        return findings
    }

    /// Checks the contents of the file.
    package func findings(in bytes: [UInt8]) -> [Finding] {
        guard bytes.count <= Self.maximumBytes else {
            return [.init("the file has \(bytes.count) bytes; more than \(Self.maximumBytes) are not read")]
        }
        let file: JSONValue
        do {
            file = try JSONValue(strict: bytes)
        } catch {
            return [.init("the file is not JSON: \(error)")]
        }
        guard case .object = file else { return [.init("the file is JSON, but not an object")] }
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
            return [.init("there is no “webcredentials”, which an authentication session needs for callbacks; “applinks” is not enough")]
        }
        guard let apps = service["apps"]?.array else { return [.init("“webcredentials” has no array “apps”")] }
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
            case nil:
                return findings + [
                    .init("it is unknown whether “applinks” covers \(path), because a pattern contains a substitution variable")
                ]
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
            guard let text = name.string else { return Finding("“\(service)” has an app that is not a string") }
            guard ApplicationIdentifier(text) == nil else { return nil }
            return Finding(
                "“\(displayable(text, limit: 100))” in “\(service)” is not an app; use the ten characters of the team ID, a dot and the bundle identifier"
            )
        }
    }

    /// Returns whether the path is covered: the first matching pattern decides. nil if unknown.
    private func cover(of detail: JSONValue) -> Bool? {
        for component in detail["components"]?.array ?? [] {
            let pattern = LinkPattern(
                text: component["/"]?.string ?? "*", isCaseSensitive: component["caseSensitive"].map { $0 != .bool(false) } ?? true)
            guard pattern.isChecked else { return nil }
            if pattern.matches(path) { return component["exclude"] != .bool(true) }
        }
        for case .string(let text) in detail["paths"]?.array ?? [] {
            let isExcluded = text.hasPrefix("NOT ")
            if LinkPattern(text: isExcluded ? String(text.dropFirst(4)) : text).matches(path) { return !isExcluded }
        }
        return false
    }
}
