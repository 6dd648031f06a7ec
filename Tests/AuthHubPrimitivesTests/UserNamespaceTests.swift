import AuthHubPrimitives
import Platform
import Testing

/// Whether a user ID identifies one user (user_namespaces(7)).
struct UserNamespaceTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let map: String?
        var overflowID: String? = "65534\n"
        let user: UInt32
        let isIdentified: Bool
    }

    private static let complete = "         0          0 4294967295\n"
    private static let container = "         0     100000      65536\n"

    @Test(arguments: [
        Row(testDescription: "outside user namespaces", map: complete, user: 1000, isIdentified: true),
        Row(testDescription: "nobody, outside user namespaces", map: complete, user: 65_534, isIdentified: true),
        Row(testDescription: "a complete map in two pieces", map: "0 0 1\n1 1 4294967294\n", user: 65_534, isIdentified: true),
        Row(testDescription: "a user of a container", map: container, user: 1000, isIdentified: true),
        Row(testDescription: "AR60 nobody of a container", map: container, user: 65_534, isIdentified: false),
        Row(testDescription: "AR60 unshare --map-user=65534", map: "65534 1000 1\n", user: 65_534, isIdentified: false),
        Row(testDescription: "AR60 nothing is mapped", map: "", user: 65_534, isIdentified: false),
        Row(testDescription: "AR60 the map cannot be read", map: nil, user: 65_534, isIdentified: false),
        Row(testDescription: "AR60 the map cannot be parsed", map: "0 0 all\n", user: 65_534, isIdentified: false),
        Row(testDescription: "AR60 a different overflow user", map: container, overflowID: "12345\n", user: 12_345, isIdentified: false),
        Row(testDescription: "an unknown overflow user", map: container, overflowID: nil, user: 65_534, isIdentified: false),
    ])
    func `the overflow user does not identify a user, unless all users are mapped`(row: Row) {
        #expect(UserNamespace(map: row.map, overflowID: row.overflowID).identifies(row.user) == row.isIdentified)
    }

    @Test func `files of the overflow user are not ours, and the error explains that`() {
        let user = UInt32(geteuid())
        let ambiguous = UserNamespace(map: "\(user) 1000 1", overflowID: "\(user)")
        #expect(!ambiguous.isOurs(user))
        #expect(ambiguous.doubt(about: user)?.contains("user ID \(user) represents every user") == true)
        #expect(ambiguous.doubt(about: user + 1) == nil)
        let complete = UserNamespace(map: Self.complete, overflowID: "\(user)")
        #expect(complete.isOurs(user) && !complete.isOurs(user + 1))
        #expect(complete.doubt(about: user) == nil)
    }
}
