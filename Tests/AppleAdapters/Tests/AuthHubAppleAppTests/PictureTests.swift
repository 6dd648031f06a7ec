import SwiftUI
import Testing

@testable import AuthHubViews

extension AppTests {
    @MainActor
    struct PictureTests {
        @Test(
            arguments: [
                ("a small picture is drawn as it is", png(width: 64, height: 32), "64 × 32"),
                ("of one that would fill the memory, as much as is shown", png(width: 60_000, height: 30_000), "96 × 48"),
                ("what is no picture is a sign for a person", Array("<svg/>".utf8), "person.crop.circle.fill"),
                ("as is nothing", nil, "person.crop.circle.fill"),
            ] as [(String, [UInt8]?, String)])
        func `pictures of strangers`(description: String, bytes: [UInt8]?, image: String) {
            let nodes = Stage(AvatarView(picture: bytes, login: "mona")).tree.all.filter { $0.kind == .image }
            #expect(nodes.map(\.text) == [image])
            #expect(nodes.map(\.name) == ["Picture of mona"])
        }

        /// The beginning of one, with its size.
        nonisolated private static func png(width: UInt32, height: UInt32) -> [UInt8] {
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
                + [width, height].flatMap { number in [24, 16, 8, 0].map { UInt8(number >> $0 & 0xFF) } }
        }
    }
}
