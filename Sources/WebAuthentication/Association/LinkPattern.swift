/// A path pattern in an association file: `*` matches any number of characters, including none and slashes, `?` matches exactly one.
struct LinkPattern: Sendable, Hashable {
    let text: String
    var isCaseSensitive = true

    /// Whether it can be evaluated here: substitution variables such as `$(lang)` stand for lists that only the system knows.
    var isChecked: Bool { !text.contains("$(") }

    /// Returns whether a path matches. Takes time linear in the pattern times the path, whatever the pattern.
    func matches(_ path: String) -> Bool {
        let pattern = Array((isCaseSensitive ? text : text.lowercased()).utf8)
        let path = Array((isCaseSensitive ? path : path.lowercased()).utf8)
        var (patternIndex, pathIndex) = (0, 0)
        var star: (pattern: Int, path: Int)?
        while pathIndex < path.count {
            if patternIndex < pattern.count, pattern[patternIndex] == UInt8(ascii: "*") {
                star = (patternIndex, pathIndex)
                patternIndex += 1
            } else if patternIndex < pattern.count, pattern[patternIndex] == UInt8(ascii: "?") || pattern[patternIndex] == path[pathIndex] {
                patternIndex += 1
                pathIndex += 1
            } else if let last = star {
                star = (last.pattern, last.path + 1)
                (patternIndex, pathIndex) = (last.pattern + 1, last.path + 1)
            } else {
                return false
            }
        }
        return pattern[patternIndex...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
