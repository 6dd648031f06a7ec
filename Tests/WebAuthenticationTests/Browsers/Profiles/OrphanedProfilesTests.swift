import Platform
import Testing

@testable import WebAuthentication

struct OrphanedProfilesTests {
    private static let ours = ProcessIdentity.ours ?? ProcessIdentity(processID: 1, started: 0)
    private static let nobody = ProcessIdentity(processID: 999_999_999, started: 1)
    private static let reused = ProcessIdentity(processID: ours.processID, started: ours.started + 1)

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var namespace = OrphanedProfiles.namespace
        let maker: ProcessIdentity
        var browser: String?
        var isOld = false
        let isKept: Bool
    }

    @Test(arguments: [
        Row(testDescription: "its creator is running", maker: ours, isKept: true),
        Row(testDescription: "its creator is running, its browser has exited", maker: ours, browser: nobody.description, isKept: true),
        Row(testDescription: "its creator has exited", maker: nobody, isKept: false),
        Row(testDescription: "its creator's process number now belongs to another process", maker: reused, isKept: false),
        Row(testDescription: "its browser is still running", maker: nobody, browser: ours.description, isKept: true),
        Row(
            testDescription: "its browser's process number now belongs to another process", maker: nobody, browser: reused.description,
            isKept: false),
        Row(testDescription: "its browser was recorded in part", maker: nobody, browser: "12", isKept: false),
        Row(testDescription: "created in another container today", namespace: 7, maker: nobody, isKept: true),
        Row(testDescription: "created in another container, long ago", namespace: 7, maker: ours, isOld: true, isKept: false),
        Row(testDescription: "old, but its creator is running", maker: ours, isOld: true, isKept: true),
    ])
    func `removes a profile when neither its creator nor its browser is running`(row: Row) async throws {
        let folder = try ScriptFolder()
        let name = OrphanedProfiles.Name(namespace: row.namespace, maker: row.maker, random: 5).description
        try folder.addFolder(name)
        if let browser = row.browser {
            try browser.write(toFile: "\(folder.path)/\(name)/\(TemporaryProfile.browserFile)", atomically: false, encoding: .utf8)
        }
        if row.isOld {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: "\(folder.path)/\(name)")
        }
        await OrphanedProfiles.remove(from: ["\(folder.path)/missing", folder.path])
        #expect(folder.contains(name) == row.isKept)
    }

    @Test func `leaves files that are not ours`() async throws {
        let folder = try ScriptFolder()
        let name = OrphanedProfiles.Name(namespace: OrphanedProfiles.namespace, maker: Self.nobody, random: 5).description
        let others = ["authhub-browser-", "authhub-browser-999999999-1", "authhub-other", "\(name)-1", "x\(name)"]
        for other in others { try folder.addFolder(other) }
        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/\(name)", withDestinationPath: "\(folder.path)/authhub-other")
        await OrphanedProfiles.remove(from: [folder.path])
        #expect(try folder.names == (others + [name]).sorted())
    }

    #if os(Linux)
    @Test func `a browser that was not recorded keeps its profile while it is running`() async throws {
        let folder = try ScriptFolder()
        let name = OrphanedProfiles.Name(namespace: OrphanedProfiles.namespace, maker: Self.nobody, random: 5).description
        try folder.addFolder(name)
        try folder.addPipe("\(name)/pipe")
        let path = "\(folder.path)/\(name)"
        let browser = try BrowserProcess(
            path: "/bin/sh", arguments: ["sh", "-c", #"echo < "$1/pipe"; sleep 1000; :"#, "--profile", path],
            environment: ["PATH": "/usr/bin:/bin"], endsGroup: true)
        await folder.openPipe("\(name)/pipe")
        await OrphanedProfiles.remove(from: [folder.path])
        #expect(folder.contains(name))
        browser.kill()
        _ = await browser.exit
        await OrphanedProfiles.remove(from: [folder.path])
        #expect(!folder.contains(name))
    }
    #endif
}
