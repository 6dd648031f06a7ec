import AuthHubPrimitives
import Platform
@testable import CredentialStorage
import Testing

struct SystemCallErrorTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let number: Int32
        let expected: CredentialStoreError.Code
    }

    @Test(arguments: [
        Row(testDescription: "ENOSPC", number: ENOSPC, expected: .full),
        Row(testDescription: "EDQUOT", number: EDQUOT, expected: .full),
        Row(testDescription: "EACCES", number: EACCES, expected: .refused),
        Row(testDescription: "EPERM", number: EPERM, expected: .refused),
        Row(testDescription: "EROFS", number: EROFS, expected: .refused),
        Row(testDescription: "ELOOP", number: ELOOP, expected: .refused),
        Row(testDescription: "EIO", number: EIO, expected: .failed),
    ])
    func `turns the system's errors into advice for the user`(row: Row) {
        errno = row.number
        let error = CredentialStoreError.systemCall("write", "/folder/file")
        #expect(error.code == row.expected)
        #expect(error.explanation.contains("/folder/file"))
        #expect(error.underlying as? SystemCallError == SystemCallError(call: "write", number: row.number))
    }
}
