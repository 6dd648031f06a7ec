import Testing

@testable import DevelopmentServer

@Suite struct LimitedTableTests {
    @Test func `a full table evicts its oldest entries and keeps the newest`() {
        var table = LimitedTable<Int, String>(limit: 8)
        for number in 0..<100 { table[number] = "\(number)" }
        #expect((0..<100).count { table[$0] != nil } <= 8)
        #expect((96..<100).allSatisfy { table[$0] == "\($0)" })
        #expect(table[0] == nil)
    }

    @Test func `a changed entry is not a new one, and removing one frees its space`() {
        var table = LimitedTable<Int, String>(limit: 2)
        table[1] = "one"
        table[2] = "two"
        table[1] = "changed"
        #expect(table[1] == "changed" && table[2] == "two")
        table[1] = nil
        table[3] = "three"
        #expect(table[2] == "two" && table[3] == "three")
    }
}
