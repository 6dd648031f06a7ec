import Testing

@testable import AuthHubCommand

/// Tests against ISO/IEC 18004. `Scripts/proofs/qr-code` shows that cameras can read the codes.
struct QRCodeTests {
    @Test func `the error correction codewords are those of the standard's example, Annex I`() {
        let data: [UInt8] = [
            0x10, 0x20, 0x0C, 0x56, 0x61, 0x80, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11,
        ]
        #expect(ReedSolomon(degree: 10).remainder(of: data) == [0xA5, 0x24, 0xD4, 0xC1, 0xED, 0x36, 0xC7, 0x87, 0x2C, 0x55])
        #expect(ReedSolomon.product(2, 0x80) == 0x1D)
        #expect((1...255).allSatisfy { ReedSolomon.product(UInt8($0), 1) == UInt8($0) })
    }

    struct SizeRow: Sendable, CustomTestStringConvertible {
        let version: Int
        let low: Int
        let medium: Int
        let codewords: Int
        let centres: [Int]

        var testDescription: String { "version \(version)" }
    }

    @Test(arguments: [
        SizeRow(version: 1, low: 17, medium: 14, codewords: 26, centres: []),
        SizeRow(version: 2, low: 32, medium: 26, codewords: 44, centres: [6, 18]),
        SizeRow(version: 5, low: 106, medium: 84, codewords: 134, centres: [6, 30]),
        SizeRow(version: 6, low: 134, medium: 106, codewords: 172, centres: [6, 34]),
        SizeRow(version: 7, low: 154, medium: 122, codewords: 196, centres: [6, 22, 38]),
        SizeRow(version: 9, low: 230, medium: 180, codewords: 292, centres: [6, 26, 46]),
        SizeRow(version: 10, low: 271, medium: 213, codewords: 346, centres: [6, 28, 50]),
        SizeRow(version: 14, low: 458, medium: 362, codewords: 581, centres: [6, 26, 46, 66]),
        SizeRow(version: 15, low: 520, medium: 412, codewords: 655, centres: [6, 26, 48, 70]),
    ])
    func `sizes are those of tables 1, 7 and E.1`(row: SizeRow) throws {
        let version = QRVersion(number: row.version)
        #expect(version.capacity(.low) == row.low)
        #expect(version.capacity(.medium) == row.medium)
        #expect(version.codewordCount == row.codewords)
        #expect(version.alignmentCentres == row.centres)
        let code = try #require(QRCode(String(repeating: "x", count: row.low)))
        #expect(code.version == row.version)
        #expect(code.level == .low)
        #expect(code.size == 17 + 4 * row.version)
    }

    @Test(arguments: [(14, 1, QRCode.Level.medium), (15, 1, .low), (17, 1, .low), (18, 2, .medium), (26, 2, .medium), (27, 2, .low)])
    func `uses a higher error correction level if the code does not grow`(length: Int, version: Int, level: QRCode.Level) throws {
        let code = try #require(QRCode(String(repeating: "x", count: length)))
        #expect(code.version == version)
        #expect(code.level == level)
    }

    @Test func `text that is too long has no code, and non-ASCII letters count by their bytes`() {
        #expect(QRCode(String(repeating: "x", count: 521)) == nil)
        #expect(QRCode(String(repeating: "ä", count: 261)) == nil)
        #expect(QRCode("") != nil)
    }

    @Test(arguments: ["x", "https://github.com/login/device", String(repeating: "7", count: 150), String(repeating: "q", count: 500)])
    func `every code has its fixed patterns, its format twice, and from version 7 on its number twice`(text: String) throws {
        let code = try #require(QRCode(text))
        let last = code.size - 1
        for (row, column) in [(0, 0), (0, last - 6), (last - 6, 0)] {
            let rows = (0..<7).map { down in (0..<7).map { code.isDark(row + down, column + $0) ? "1" : "0" }.joined() }
            #expect(rows == ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"])
        }
        #expect((8...last - 8).allSatisfy { code.isDark(6, $0) == ($0 % 2 == 0) && code.isDark($0, 6) == ($0 % 2 == 0) })
        #expect(code.isDark(last - 7, 8))
        let beside = (0..<6).map { (8, $0) } + [(8, 7), (8, 8), (7, 8)] + (0..<6).map { (5 - $0, 8) }
        let elsewhere = (0..<7).map { (last - $0, 8) } + (0..<8).map { (8, last - 7 + $0) }
        let expected = Self.formats[code.level == .medium ? 0 : 8, default: []][code.mask]
        for places in [beside, elsewhere] {
            #expect(places.map { code.isDark($0.0, $0.1) ? "1" : "0" }.joined() == expected)
        }
        guard code.version >= 7 else { return }
        let number = (0..<18).reversed().map { code.isDark($0 / 3, last - 10 + $0 % 3) ? "1" : "0" }.joined()
        let mirrored = (0..<18).reversed().map { code.isDark(last - 10 + $0 % 3, $0 / 3) ? "1" : "0" }.joined()
        #expect(number == mirrored)
        #expect(number == [7: "000111110010010100", 15: "001111100100101000"][code.version])
    }

    /// The format information of table C.1, in drawing order: for M, and for L.
    private static let formats: [Int: [String]] = [
        0: [
            "101010000010010", "101000100100101", "101111001111100", "101101101001011", "100010111111001", "100000011001110",
            "100111110010111", "100101010100000",
        ],
        8: [
            "111011111000100", "111001011110011", "111110110101010", "111100010011101", "110011000101111", "110001100011000",
            "110110001000001", "110100101110110",
        ],
    ]

    /// The expected code is one that zbar has read.
    @Test func `GitHub's URL is drawn as it always was`() throws {
        let code = try #require(QRCode("https://github.com/login/device"))
        #expect(code.picture(isColored: false) == Self.gitHub)
        #expect(code.columns == 33)
        #expect(code.lines == 17)
    }

    @Test func `with colours it is black on white, and without it is white on black`() throws {
        let code = try #require(QRCode("x"))
        let dark = code.picture(isColored: true)
        #expect(dark.split(separator: "\n").allSatisfy { $0.hasPrefix("\u{1B}[38;5;16;48;5;231m") && $0.hasSuffix("\u{1B}[0m") })
        let turned: [Character: Character] = ["█": " ", " ": "█", "▀": "▄", "▄": "▀"]
        let plain = code.picture(isColored: false).split(separator: "\n").dropLast()
        let coloured = dark.split(separator: "\n").dropLast().map { $0.dropFirst(19).dropLast(4) }
        #expect(plain.map { String($0.map { turned[$0] ?? "?" }) } == coloured.map(String.init))
    }

    private static let gitHub = """
        █████████████████████████████████
        █████████████████████████████████
        ████ ▄▄▄▄▄ █▄ ▄██▀▄█▀█ ▄▄▄▄▄ ████
        ████ █   █ ██ █▀   ▀▀█ █   █ ████
        ████ █▄▄▄█ ██▄█▀▀  █▄█ █▄▄▄█ ████
        ████▄▄▄▄▄▄▄█ █ ▀▄▀▄▀▄█▄▄▄▄▄▄▄████
        ████ ▄▀▄▄█▄██  ▀█▀  ▄█▄▀▀▀▀▀▄████
        ████ █▄▀█▀▄▄▄▀  ███ █▄▀ █ ▀▀ ████
        ████  ▀▀▀▄▄   █ ▄█▀▀▄▀▄▄▀██▀▄████
        ████ ▄▀█  ▄ ▀▄▀█▄█▄  ▄ ▀▄  ▄ ████
        ████▄█▄█▄█▄▄ ▄█▄▄▄█▄ ▄▄▄ █  █████
        ████ ▄▄▄▄▄ ██▀  █▀█▀ █▄█ ██▀▄████
        ████ █   █ █ ▀   ▀     ▄▄██ ▀████
        ████ █▄▄▄█ █▀▄▄▄▄█ ▀█ █▀ ▄   ████
        ████▄▄▄▄▄▄▄█▄▄██▄███▄▄▄██▄██▄████
        █████████████████████████████████
        ▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
        """
}
