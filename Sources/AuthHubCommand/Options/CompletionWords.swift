import ArgumentParser

/// The words that a shell offers for arguments whose values are stored on this machine.
struct CompletionWords: Sendable {
    /// The labels of the accounts.
    let accounts: [String]
    /// The names of the built-in and the added providers.
    let providers: [String]

    @TaskLocal static var current = Self(accounts: [], providers: [])

    /// Leaves out words that are not safe to offer: bash expands each word again, so a process substitution in it would run.
    init(accounts: [String], providers: [String]) {
        self.accounts = accounts.filter(Self.isSafe)
        self.providers = providers.filter(Self.isSafe)
    }

    private static func isSafe(_ word: String) -> Bool {
        !word.isEmpty
            && word.utf8.allSatisfy { byte in
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                    || "-._@+:,/".utf8.contains(byte)
            }
    }
}

extension CompletionKind {
    static var accounts: Self { .custom { _, _, _ in CompletionWords.current.accounts } }
    static var providers: Self { .custom { _, _, _ in CompletionWords.current.providers } }
}
