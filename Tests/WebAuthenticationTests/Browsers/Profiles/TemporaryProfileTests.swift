import Platform
import Testing

@testable import WebAuthentication

struct TemporaryProfileTests {
    @Test func `a separate folder that only this user can enter, and that is gone when removed`() async throws {
        let folder = try ScriptFolder()
        let first = try TemporaryProfile(in: [folder.path])
        let second = try TemporaryProfile(in: [folder.path])
        #expect(first.path != second.path)
        var information = stat()
        #expect(lstat(first.path, &information) == 0)
        #expect(information.st_mode & 0o7777 == 0o700)
        try first.write("text", to: "user.js")
        await first.remove()
        #expect(try folder.names == [second.path.split(separator: "/").last.map(String.init)])
    }

    @Test func `removes the folder in which Chromium had its socket, but nothing else there`() async throws {
        let folder = try ScriptFolder()
        try folder.addFolder("socket")
        try folder.addFolder("other")
        for name in ["socket/SingletonSocket", "socket/SingletonCookie", "other/SingletonSocket", "other/kept"] { try folder.add(name, "") }
        for place in ["socket", "other"] {
            let profile = try TemporaryProfile(in: [folder.path])
            #expect(symlink("\(folder.path)/\(place)/SingletonSocket", "\(profile.path)/SingletonSocket") == 0)
            await profile.remove()
        }
        #expect(try folder.names == ["other"])
        #expect(access("\(folder.path)/other/kept", F_OK) == 0)
    }

    @Test func `uses the next folder if the first is full or cannot be written to`() async throws {
        let folder = try ScriptFolder()
        try folder.add("file", "")
        let profile = try TemporaryProfile(in: ["\(folder.path)/missing", "\(folder.path)/file", folder.path])
        #expect(profile.path.hasPrefix("\(folder.path)/authhub-browser-"))
    }

    @Test func `the error lists the unusable folders, each with its problem`() throws {
        let folder = try ScriptFolder()
        let missing = #expect(throws: WebAuthenticationError.self) { try TemporaryProfile(in: ["\(folder.path)/missing"]) }
        #expect(missing?.code == .cannotShow)
        #expect(missing?.explanation?.contains("\(folder.path)/missing (No such file or directory)") == true)
        let full = #expect(throws: WebAuthenticationError.self) { try TemporaryProfile(in: [folder.path], neededBytes: 1 << 62) }
        #expect(full?.explanation?.contains("\(folder.path) (less than 4398046511104 MiB are free)") == true)
        #expect(try folder.names == [])
    }

    @Test func `a file that cannot be written names the folder`() async throws {
        let folder = try ScriptFolder()
        let profile = try TemporaryProfile(in: [folder.path])
        await profile.remove()
        let error = #expect(throws: WebAuthenticationError.self) { try profile.write("text", to: "user.js") }
        #expect(error?.code == .cannotShow)
        #expect(error?.explanation?.contains(profile.path) == true)
    }

    @Test func `removes the socket that a killed Chromium left in another folder with its profile, and nothing else`() async throws {
        let folder = try ScriptFolder()
        for name in ["org.chromium.one", "other"] { #expect(mkdir("\(folder.path)/\(name)", 0o700) == 0) }
        for name in ["org.chromium.one/SingletonSocket", "org.chromium.one/SingletonCookie", "other/SingletonSocket", "other/file"] {
            try folder.add(name, "")
        }
        for target in ["org.chromium.one/SingletonSocket", "other/SingletonSocket", "other/file"] {
            let profile = try TemporaryProfile(in: [folder.path])
            #expect(symlink("\(folder.path)/\(target)", "\(profile.path)/SingletonSocket") == 0)
            await profile.remove()
        }
        #expect(try folder.names == ["other"])
        #expect(folder.contains("other/file"))
    }
}
