extension String {
    /// The number of terminal columns that the text occupies.
    var displayWidth: Int {
        reduce(0) { $0 + $1.displayWidth }
    }

    /// Returns the text, or its start with an ellipsis, in at most this many columns.
    func cut(toWidth width: Int) -> String {
        guard displayWidth > width else { return self }
        guard width > 1 else { return width == 1 ? "…" : "" }
        var kept = ""
        var used = 0
        for character in self {
            guard used + character.displayWidth <= width - 1 else { break }
            kept.append(character)
            used += character.displayWidth
        }
        while kept.last == " " { kept.removeLast() }
        return kept + "…"
    }

    /// Returns the text of a URL or a name in at most this many columns: first without `https://`, then with an ellipsis in its middle.
    func cutInside(toWidth width: Int) -> String {
        guard displayWidth > width else { return self }
        let scheme = "https://"
        if hasPrefix(scheme) { return String(dropFirst(scheme.count)).cutInside(toWidth: width) }
        guard width > 2 else { return cut(toWidth: width) }
        var end = ""
        for character in reversed() {
            guard end.displayWidth + character.displayWidth <= width / 2 else { break }
            end.insert(character, at: end.startIndex)
        }
        return String(dropLast(end.count)).cut(toWidth: width - end.displayWidth) + end
    }
}

extension Character {
    /// The width: two for East Asian wide characters and emoji, as in terminals; one for all others.
    fileprivate var displayWidth: Int {
        guard let first = unicodeScalars.first else { return 0 }
        if first.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}") { return 2 }
        return switch first.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            2
        default: 1
        }
    }
}
