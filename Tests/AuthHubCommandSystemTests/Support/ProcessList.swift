import Platform

/// The processes of the machine, as every user can see them.
enum ProcessList {
    /// Returns whether the arguments of any process contain a string.
    static func contains(_ text: String) -> Bool {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.filter { $0.allSatisfy(\.isNumber) }.contains { process in
            guard let arguments = try? Data(contentsOf: URL(filePath: "/proc/\(process)/cmdline")) else { return false }
            return Array(arguments).firstRange(of: Array(text.utf8)) != nil
        }
    }

    /// Returns the path of a program; nil if it is not installed.
    static func program(_ name: String) -> String? {
        ["/usr/local/bin", "/usr/bin", "/bin"].map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
