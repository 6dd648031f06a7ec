import Testing

@testable import WebAuthentication

struct SocketRowTests {
    private static let name = SocketName(
        local: .init(address: [127, 0, 0, 1], port: 0xC350), remote: .init(address: [127, 0, 0, 1], port: 0x9C40))
    private static let ends = "0100007F:C350 0100007F:9C40"
    private static let mapped = "0000000000000000FFFF00000100007F:C350 0000000000000000FFFF00000100007F:9C40"
    private static let rest = "00000000:00000000 00:00000000 00000000"

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let line: String
        let owner: SocketOwner?
    }

    static let rows = [
        Row(testDescription: "the socket", line: "   3: \(ends) 01 \(rest)  1000        0 4242 1 0000 20", owner: .user(1000)),
        Row(
            testDescription: "over IPv6, with IPv4-mapped addresses", line: "   3: \(mapped) 01 \(rest)  1000 0 4242 1 0000 20",
            owner: .user(1000)),
        Row(testDescription: "root's", line: "   3: \(ends) 01 \(rest)     0        0 4242 1 0000 20", owner: .user(0)),
        Row(testDescription: "in TIME_WAIT", line: "   3: \(ends) 06 \(rest)     0        0 0 3 0000", owner: .closed),
        Row(testDescription: "closed in FIN_WAIT2", line: "   3: \(ends) 05 \(rest)     0        0 0 3 0000", owner: .closed),
        Row(testDescription: "truncated", line: "   3: \(ends) 01 \(rest)  1000", owner: nil),
        Row(testDescription: "an invalid user number", line: "   3: \(ends) 01 \(rest)  x 0 4242", owner: .unavailable),
        Row(testDescription: "the other end", line: "   3: 0100007F:9C40 0100007F:C350 01 \(rest)  1000 0 4242", owner: nil),
        Row(testDescription: "another port", line: "   3: 0100007F:C351 0100007F:9C40 01 \(rest)  1000 0 4242", owner: nil),
        Row(testDescription: "another address", line: "   3: 0200007F:C350 0100007F:9C40 01 \(rest)  1000 0 4242", owner: nil),
        Row(testDescription: "the header line", line: "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when", owner: nil),
    ]

    @Test(.enabled(if: 1.littleEndian == 1, "the kernel prints addresses as numbers of the machine"), arguments: rows)
    func `a row names the owner of its socket`(row: Row) {
        #expect(SocketRow(Self.name).owner(in: Array(row.line.utf8)) == row.owner)
    }
}
