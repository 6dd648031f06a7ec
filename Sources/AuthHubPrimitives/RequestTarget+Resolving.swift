extension RequestTarget {
    /// Resolves a reference relative to this target, as in `Location` and `Link` fields (RFC 3986 §5.2).
    ///
    /// Dot segments are removed. Characters that the server should have percent-encoded are treated as in browsers: white space and control
    /// characters around the reference, tabs and line breaks are removed, backslashes before the query are slashes, and everything else is
    /// encoded.
    ///
    /// - Returns: nil if the reference is invalid, leads to a scheme other than http and https, or contains user information.
    package func resolving(_ reference: some StringProtocol) -> RequestTarget? {
        let bytes = Self.normalized(reference)
        guard !bytes.isEmpty else { return nil }
        // From here on, everything is ASCII, and each character is one byte.
        let text = Self.percentEncoded(bytes.prefix { $0 != UInt8(ascii: "#") }) { 0x20 < $0 && $0 < 0x7F }
        if Self.hasScheme(text) {
            return Self.absolute(text)
        }
        if text.hasPrefix("//") {
            guard let scheme else { return nil }
            return Self.absolute("\(scheme):\(text)")
        }
        return relative(text)
    }

    /// Does what browsers do before they parse a URL (URL Standard §4.4).
    private static func normalized(_ reference: some StringProtocol) -> [UInt8] {
        var bytes = Array(reference.utf8).drop { $0 <= 0x20 }
        while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
        bytes.removeAll { [0x09, 0x0A, 0x0D].contains($0) }
        let path = bytes.prefix { !"?#".utf8.contains($0) }
        return path.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 } + bytes[path.endIndex...]
    }

    private static func hasScheme(_ text: Substring) -> Bool {
        let scheme = text.utf8.prefix { $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) }
        return scheme.first?.isASCIILetter == true && text.utf8[scheme.endIndex...].first == UInt8(ascii: ":")
    }

    private static func absolute(_ text: Substring) -> RequestTarget? {
        guard let start = text.firstRange(of: "://")?.upperBound else { return nil }
        let authority = text[start...].prefix { $0 != "/" && $0 != "?" }
        let (path, query) = split(text[authority.endIndex...])
        guard let target = RequestTarget(text[..<authority.endIndex]) else { return nil }
        return RequestTarget(
            scheme: target.scheme, authority: target.authority, path: joined(removingDotSegments(from: path), query))
    }

    private func relative(_ text: Substring) -> RequestTarget? {
        let (basePath, baseQuery) = Self.split(path[...])
        let (path, query) = Self.split(text)
        let resolved: Substring
        if path.isEmpty {
            resolved = Self.joined(basePath, query ?? baseQuery)
        } else if path.hasPrefix("/") {
            resolved = Self.joined(Self.removingDotSegments(from: path), query)
        } else {
            let folder = basePath[...(basePath.lastIndex(of: "/") ?? basePath.startIndex)]
            resolved = Self.joined(Self.removingDotSegments(from: folder + path), query)
        }
        return RequestTarget(scheme: scheme, authority: authority, path: resolved)
    }

    private static func split(_ text: Substring) -> (path: Substring, query: Substring?) {
        guard let mark = text.firstIndex(of: "?") else { return (text, nil) }
        return (text[..<mark], text[text.index(after: mark)...])
    }

    private static func joined(_ path: Substring, _ query: Substring?) -> Substring {
        let text = (path.isEmpty ? "/" : path) + (query.map { "?" + $0 } ?? "")
        return percentEncoded(text.utf8) { isLiteral($0) || $0 == UInt8(ascii: "%") }
    }

    /// Removes dot segments (RFC 3986 §5.2.4) from a path that begins with a slash.
    private static func removingDotSegments(from path: Substring) -> Substring {
        var kept: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".":
                if isLast { kept.append("") }
            case "..":
                // In place: a copy for each segment would take minutes if a server sends thousands.
                _ = kept.popLast()
                if isLast { kept.append("") }
            default:
                kept.append(segment)
            }
        }
        return "/" + kept.joined(separator: "/")[...]
    }

    private static func percentEncoded(_ text: some Sequence<UInt8>, keeping isKept: (UInt8) -> Bool) -> Substring {
        var bytes: [UInt8] = []
        for byte in text {
            if isKept(byte) {
                bytes.append(byte)
            } else {
                appendPercentEncoded(byte, to: &bytes)
            }
        }
        return Substring(decoding: bytes, as: UTF8.self)
    }
}
