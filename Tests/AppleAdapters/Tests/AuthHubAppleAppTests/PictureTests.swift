import SwiftUI
import Testing

@testable import AuthHubViews

extension AppTests {
    @MainActor
    struct PictureTests {
        struct Row: CustomTestStringConvertible, Sendable {
            let testDescription: String
            let bytes: [UInt8]?
            let image: String
        }

        @Test(arguments: [
            Row(testDescription: "a small picture is drawn unchanged", bytes: png(width: 64, height: 32), image: "64 × 32"),
            Row(
                testDescription: "a picture that would fill the memory is scaled down to the shown size",
                bytes: png(width: 60_000, height: 30_000),
                image: "96 × 48"),
            Row(
                testDescription: "a symbol of a person replaces an invalid picture", bytes: Array("<svg/>".utf8),
                image: "person.crop.circle.fill"),
            Row(testDescription: "and a missing one", bytes: nil, image: "person.crop.circle.fill"),
        ])
        func `untrusted pictures`(row: Row) {
            let nodes = Stage(AvatarView(picture: row.bytes, login: "mona")).tree.all.filter { $0.kind == .image }
            #expect(nodes.map(\.text) == [row.image])
            #expect(nodes.map(\.name) == ["Picture of mona"])
        }

        /// The start of a picture, with its size.
        nonisolated private static func png(width: UInt32, height: UInt32) -> [UInt8] {
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
                + [width, height].flatMap { number in [24, 16, 8, 0].map { UInt8(number >> $0 & 0xFF) } }
        }
    }
}
