/// A minimal parser of form-encoded text, for comparison: it works byte by byte and rejects nothing.
enum NaiveForm {
    static func pairs(_ text: ArraySlice<UInt8>) -> [(name: [UInt8], value: [UInt8])] {
        var pairs: [(name: [UInt8], value: [UInt8])] = []
        for pair in text.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: true) {
            let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            pairs.append((decoded(halves[0]), halves.count > 1 ? decoded(halves[1]) : []))
        }
        return pairs
    }

    private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = [], index = text.startIndex
        while index < text.endIndex {
            if text[index] == UInt8(ascii: "%"), index + 2 < text.endIndex,
                let byte = UInt8(String(decoding: text[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
            {
                bytes.append(byte)
                index += 3
            } else {
                bytes.append(text[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : text[index])
                index += 1
            }
        }
        return bytes
    }
}
