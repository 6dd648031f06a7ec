import Platform

/// Runs asynchronous work while the main thread waits, for measuring tools that cannot handle the end of that thread: an asynchronous
/// `main` ends it on Linux.
package func blocking(_ work: @escaping @Sendable () async throws -> Void) {
    let (ends, status) = (Ends(), Task.detached { try await work() })
    Task.detached {
        if case .failure(let error) = await status.result {
            print("error: \(error)")
            exit(1)
        }
        ends.write()
    }
    ends.read()
}

/// A pipe.
private struct Ends {
    private let descriptors: [Int32]

    init() {
        var descriptors: [Int32] = [-1, -1]
        precondition(pipe(&descriptors) == 0)
        self.descriptors = descriptors
    }

    func write() {
        var byte: UInt8 = 0
        #if canImport(Glibc)
        _ = Glibc.write(descriptors[1], &byte, 1)
        #elseif canImport(Musl)
        _ = Musl.write(descriptors[1], &byte, 1)
        #elseif canImport(Darwin)
        _ = Darwin.write(descriptors[1], &byte, 1)
        #endif
    }

    func read() {
        var byte: UInt8 = 0
        #if canImport(Glibc)
        _ = Glibc.read(descriptors[0], &byte, 1)
        #elseif canImport(Musl)
        _ = Musl.read(descriptors[0], &byte, 1)
        #elseif canImport(Darwin)
        _ = Darwin.read(descriptors[0], &byte, 1)
        #endif
    }
}
