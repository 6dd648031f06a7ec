import AuthHubPrimitives
import Testing

@testable import AuthHub

struct SignedInUserTests {
    typealias User = SignedInUser

    static let rows: [(description: String, old: User, new: User, isAnother: Bool)] = [
        ("the same", User(id: "1", name: "a", source: .idToken), User(id: "1", name: "a", source: .idToken), false),
        ("a new name", User(id: "1", name: "a", source: .account), User(id: "1", name: "b", source: .account), false),
        ("the same name", User(id: "1", name: "a", source: .account), User(id: "2", name: "a", source: .account), true),
        (
            "UserInfo has the subject of the ID token", User(id: "1", name: nil, source: .idToken),
            User(id: "1", name: nil, source: .userInfo), false
        ),
        ("another subject", User(id: "1", name: nil, source: .idToken), User(id: "2", name: nil, source: .userInfo), true),
        ("identifiers of different kinds", User(id: "1", name: nil, source: .idToken), User(id: "2", name: nil, source: .account), false),
        (
            "other bytes that look the same", User(id: "\u{e9}", name: nil, source: .account),
            User(id: "e\u{301}", name: nil, source: .account), true
        ),
    ]

    @Test(arguments: rows.indices) func `compares permanent identifiers of the same kind`(index: Int) {
        let row = Self.rows[index]
        #expect(row.new.isDifferent(from: row.old) == row.isAnother, "\(row.description)")
    }

    @Test func `a stored user is read as it was written`() {
        for (_, old, new, _) in Self.rows {
            for user in [old, new] { #expect(User(record: user.record) == user) }
        }
        #expect(User(record: ["id": "1", "source": "later"]) == nil)
        #expect(User(record: "1") == nil)
    }
}
