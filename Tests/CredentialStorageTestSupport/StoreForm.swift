package import CredentialStorage

/// The kinds of file store, for tests of their common behavior.
package enum StoreForm: String, Sendable, Codable, CaseIterable {
    case sealed, plain
}

extension TemporaryFolder {
    package func anyStore(_ form: StoreForm) -> any CredentialInventory {
        Self.anyStore(form, below: path) { _ in _ = self }
    }

    package static func anyStore(
        _ form: StoreForm, below path: String, reached: @escaping StorageStepHook = { _ in }
    ) -> any CredentialInventory {
        switch form {
        case .sealed: store(below: path, reached: reached)
        case .plain: PlainFileStore(folder: "\(path)/service/credentials", reached: reached)
        }
    }

    package func lockPath(of account: CredentialAccount) -> String {
        "\(storePath)/locks/\(account.hexadecimalID).write"
    }
}

extension CredentialAccount {
    package var hexadecimalID: String { hexadecimal(id.bytes) }
}

package func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

package func bytes(hexadecimal: String) -> [UInt8] {
    let digits = Array(hexadecimal.utf8)
    return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16) }
}

package func alter(_ path: String, _ change: (inout [UInt8]) -> Void) throws {
    var bytes = try contents(of: path)
    change(&bytes)
    try write(bytes, to: path)
}

/// The error of an operation; nil if it does not fail.
package func error(of work: () async throws(CredentialStoreError) -> Void) async -> CredentialStoreError? {
    do {
        try await work()
        return nil
    } catch {
        return error
    }
}
