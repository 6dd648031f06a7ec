// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    traits: [
        .trait(name: "PostgreSQL", description: "The store in PostgreSQL is measured, too; needs libpq.")
    ],
    dependencies: [
        .package(
            name: "AuthHub", path: "..",
            // Each trait by its name, as in the build of the tests: with `.defaults`, everything would be built again in the same folder.
            traits: ["AsyncHTTPClient", .trait(name: "PostgreSQL", condition: .when(traits: ["PostgreSQL"]))]),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
    ],
    targets: [
        .target(
            name: "Measuring",
            dependencies: [
                .product(name: "AuthHubPrimitives", package: "AuthHub"),
                .product(name: "HTTPLoading", package: "AuthHub"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(
            name: "Loopback",
            dependencies: [
                "Measuring",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "HTTPLoading", package: "AuthHub"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]),
        .target(
            name: "SignedIn",
            dependencies: [
                .product(name: "AuthHub", package: "AuthHub"),
                .product(name: "AuthHubPrimitives", package: "AuthHub"),
                .product(name: "CredentialStorage", package: "AuthHub"),
                .product(name: "HTTPLoading", package: "AuthHub"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "OAuthProtocol", package: "AuthHub"),
                .product(name: "WebAuthentication", package: "AuthHub"),
            ]),
        .executableTarget(
            name: "AuthorizedRequest",
            dependencies: [
                "Loopback", "Measuring", "SignedIn",
                .product(name: "AsyncHTTPClientTransport", package: "AuthHub"),
                .product(name: "AuthHub", package: "AuthHub"),
                .product(name: "HTTPLoading", package: "AuthHub"),
            ]),
        .executableTarget(
            name: "SessionCost",
            dependencies: [
                "Measuring", "SignedIn",
                .product(name: "AuthHub", package: "AuthHub"),
                .product(name: "HTTPLoading", package: "AuthHub"),
            ]),
        .executableTarget(
            name: "SharedRefresh",
            dependencies: [
                "Loopback", "Measuring", "SignedIn",
                .product(name: "AsyncHTTPClientTransport", package: "AuthHub"),
                .product(name: "AuthHub", package: "AuthHub"),
                .product(name: "CredentialStorage", package: "AuthHub"),
                .product(name: "HTTPLoading", package: "AuthHub"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "OAuthProtocol", package: "AuthHub"),
            ]),
        .executableTarget(
            name: "ChainedRequest",
            dependencies: [
                "Loopback", "Measuring",
                .product(name: "AsyncHTTPClientTransport", package: "AuthHub"),
                .product(name: "HTTPLoading", package: "AuthHub"),
            ]),
        .executableTarget(
            name: "Refresh",
            dependencies: [
                "Measuring", "SignedIn",
                .product(name: "AuthHub", package: "AuthHub"),
                .product(name: "AuthHubPrimitives", package: "AuthHub"),
                .product(name: "CredentialStorage", package: "AuthHub"),
                .product(name: "HTTPLoading", package: "AuthHub"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "OAuthProtocol", package: "AuthHub"),
            ]),
        .executableTarget(
            name: "StoreSaves",
            dependencies: [
                "Measuring",
                .product(name: "AuthHubPrimitives", package: "AuthHub"),
                .product(name: "CredentialStorage", package: "AuthHub"),
            ]),
        .executableTarget(
            name: "Messages",
            dependencies: [
                "Measuring",
                .product(name: "AuthHubPrimitives", package: "AuthHub"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "OAuthProtocol", package: "AuthHub"),
            ]),
        .systemLibrary(name: "CLibpq", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .executableTarget(
            name: "PostgreSQLRecords",
            dependencies: [
                "Measuring",
                .target(name: "CLibpq", condition: .when(traits: ["PostgreSQL"])),
                .product(name: "AuthHubPrimitives", package: "AuthHub"),
                .product(name: "CredentialStorage", package: "AuthHub"),
                .product(name: "PostgreSQLCredentialStorage", package: "AuthHub"),
            ]),
        .executableTarget(
            name: "ChainCost",
            dependencies: [
                "Measuring",
                .product(name: "HTTPLoading", package: "AuthHub"),
            ]),
    ],
    swiftLanguageModes: [.v6])

for target in package.targets where target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? [])
        + ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
        .map { .enableUpcomingFeature($0) }
        + [.treatAllWarnings(as: .error)]
}
