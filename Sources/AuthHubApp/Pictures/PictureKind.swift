/// What a picture's bytes begin with; what the server calls it does not count.
enum PictureKind: Sendable, Hashable, CaseIterable {
    case png, jpeg, gif, webP

    /// nil for bytes that are no picture of a kind that both windows can show.
    init?(_ bytes: [UInt8]) {
        guard let kind = Self.allCases.first(where: { $0.begins(bytes) }) else { return nil }
        self = kind
    }

    private func begins(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .png: bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        case .jpeg: bytes.starts(with: [0xFF, 0xD8, 0xFF])
        case .gif: bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8)
        case .webP: bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
        }
    }
}
