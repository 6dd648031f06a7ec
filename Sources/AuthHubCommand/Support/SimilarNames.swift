/// The names that a user may have meant by a word that is not a name.
enum SimilarNames {
    private static let limit = 6
    private static let longestWord = 60

    /// Returns the names that begin with the word, then those that differ in few letters, the most similar first.
    static func of(_ word: String, among names: [String]) -> [String] {
        let word = Array(word.lowercased().utf8)
        guard !word.isEmpty, word.count <= longestWord else { return [] }
        let beginning = names.filter { $0.lowercased().utf8.starts(with: word) }
        let tolerance = min(2, word.count / 3)
        let others = names.filter { !beginning.contains($0) }.map { (name: $0, distance: distance(word, Array($0.lowercased().utf8))) }
        let near = others.filter { $0.distance <= tolerance }.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
        return Array((beginning + near.map(\.name)).prefix(limit))
    }

    /// Returns a question with the similar names; nil if there are none.
    static func question(_ word: String, among names: [String]) -> String? {
        let similar = of(word, among: names)
        guard let last = similar.last else { return nil }
        let others = similar.dropLast().joined(separator: ", ")
        return "did you mean \(others.isEmpty ? last : "\(others) or \(last)")?"
    }

    /// Returns how many letters have to be inserted, removed, replaced or swapped with their neighbour.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var best = min(last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
