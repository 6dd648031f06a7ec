#if os(Linux)
import CredentialStorageTestSupport
import Platform
import Testing

/// Makes the system deny some system calls of this thread from now on, as in containers (seccomp(2)).
enum SystemCallFilter {
    #if arch(x86_64)
    private static let keyringCalls: [UInt32] = [248, 249, 250]
    #elseif arch(arm64)
    private static let keyringCalls: [UInt32] = [217, 218, 219]
    #else
    private static let keyringCalls: [UInt32] = []
    #endif

    /// Whether the system call numbers are known on this architecture.
    static let isKnown = !keyringCalls.isEmpty

    /// Makes add_key, request_key and keyctl fail with an error number.
    static func refuseKeyring(with number: UInt32) throws {
        // The program loads the call's number, and compares it with each denied number: if they match, the call is denied. Otherwise, it
        // is allowed.
        let load = Instruction(code: 0x20, value: 0)
        let refusals = keyringCalls.flatMap { call in
            [Instruction(code: 0x15, otherwise: 1, value: call), Instruction(code: 0x06, value: 0x0005_0000 | number)]
        }
        let instructions = [load] + refusals + [Instruction(code: 0x06, value: 0x7FFF_0000)]
        guard let symbol = dlsym(nil, "prctl") else { throw TestFailure("There is no prctl.") }
        typealias Control = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
        let control = unsafeBitCast(symbol, to: Control.self)  // A symbol has no type; this is that of prctl(2).
        try check(control(38, 1, 0, 0, 0), "prctl", "PR_SET_NO_NEW_PRIVS")
        try instructions.withUnsafeBytes { buffer in
            let program = Program(count: UInt16(instructions.count), instructions: buffer.baseAddress)
            try withUnsafePointer(to: program) { try check(control(22, 2, UInt(bitPattern: $0), 0, 0), "prctl", "PR_SET_SECCOMP") }
        }
    }

    /// `struct sock_filter`.
    private struct Instruction {
        let code: UInt16
        var then: UInt8 = 0
        var otherwise: UInt8 = 0
        let value: UInt32
    }

    /// `struct sock_fprog`.
    private struct Program {
        let count: UInt16
        let instructions: UnsafeRawPointer?
    }
}
#endif
