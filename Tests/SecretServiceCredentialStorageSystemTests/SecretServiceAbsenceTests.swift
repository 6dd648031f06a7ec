import AuthHubPrimitives
import CredentialStorage
import CredentialStorageTestSupport
import SecretServiceCredentialStorage
import Testing

/// Tests without a Secret Service, or without a connection to it.
struct SecretServiceAbsenceTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var library = "libsecret-1.so.0"
        var environment: [String: String] = [:]
        let condition: SecretServiceState.Condition
    }

    @Test(arguments: [
        Row(testDescription: "no bus is named", condition: .noBus),
        Row(
            testDescription: "a bus that X11 would start",
            environment: ["DBUS_SESSION_BUS_ADDRESS": "autolaunch:", "DISPLAY": ":0"],
            condition: .noBus),
        Row(testDescription: "a runtime folder without a bus", environment: ["XDG_RUNTIME_DIR": "/tmp"], condition: .noBus),
        Row(testDescription: "a relative runtime folder", environment: ["XDG_RUNTIME_DIR": "run"], condition: .noBus),
        Row(
            testDescription: "no library", library: "libsecret-of-nobody.so.7",
            environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus"], condition: .noLibrary),
    ])
    func `names what is missing, and stores nothing`(row: Row) async {
        await expect(row)
    }

    @Test(
        .enabled(if: PrivateKeyring.isPossible, "needs libsecret"),
        arguments: [
            Row(
                testDescription: "an address that leads nowhere", environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus"],
                condition: .noBus),
            Row(
                testDescription: "an invalid address", environment: ["DBUS_SESSION_BUS_ADDRESS": "somewhere"], condition: .noBus),
        ])
    func `reports a bus that cannot be reached, and stores nothing`(row: Row) async {
        await expect(row)
    }

    @Test(.enabled(if: PrivateKeyring.isPossible, "needs dbus-daemon and libsecret"))
    func `reports a bus without the service, and stores nothing`() async throws {
        let keyring = try await PrivateKeyring(.withoutService)
        await expect(
            Row(
                testDescription: "by address", environment: ["DBUS_SESSION_BUS_ADDRESS": "autolaunch:;\(keyring.address)"],
                condition: .noService))
        await expect(
            Row(testDescription: "by folder", environment: ["XDG_RUNTIME_DIR": "\(keyring.folder)/run"], condition: .noService))
    }

    @Test(arguments: [
        "tcp:host=127.0.0.1,port=1", "nonce-tcp:host=127.0.0.1,port=1,noncefile=/nowhere",
        "unix:path=/nowhere/bus;tcp:host=127.0.0.1,port=1",
    ])
    func `rejects a bus that is reached over the network`(address: String) async {
        await expect(
            Row(testDescription: address, environment: ["DBUS_SESSION_BUS_ADDRESS": address], condition: .noBus), code: .refused)
    }

    private func expect(_ row: Row, code expected: CredentialStoreError.Code = .unavailable) async {
        var parts = SecretServiceParts()
        parts.library = row.library
        parts.callLimit = .seconds(120)
        parts.environment = { [environment = row.environment] in environment[$0] }
        let store = SecretServiceStore(service: PrivateKeyring.service, locks: "/nowhere/locks", parts: parts)
        let state = await store.state()
        #expect(state.condition == row.condition, "\(row.testDescription)")
        #expect(state.problem?.code == expected)
        #expect(await code { () throws(CredentialStoreError) in _ = try await store.read(.octocat) } == expected)
        #expect(await code { () throws(CredentialStoreError) in _ = try await store.accounts() } == expected)
        #expect(await code { () throws(CredentialStoreError) in _ = try await store.prepareToWrite(for: .octocat) } == expected)
    }
}
