// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Drivers",
    platforms: [.macOS(.v15)],
    dependencies: [
        // The traits of the tests, each by its name: with `.defaults`, everything would be built again in the same folder.
        .package(name: "AuthHub", path: "../../..", traits: ["AsyncHTTPClient", "PostgreSQL"]),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
    ],
    targets: [
        .executableTarget(
            name: "FleetDriver",
            dependencies: [
                .product(name: "AsyncHTTPClientTransport", package: "AuthHub"),
                .product(name: "AuthHub", package: "AuthHub"),
                .product(name: "AuthHubPrimitives", package: "AuthHub"),
                .product(name: "HeadlessBrowsing", package: "AuthHub"),
                .product(name: "CredentialStorage", package: "AuthHub"),
                .product(name: "HTTPLoading", package: "AuthHub"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "OAuthProtocol", package: "AuthHub"),
                .product(name: "PostgreSQLCredentialStorage", package: "AuthHub"),
                .product(name: "WebAuthentication", package: "AuthHub"),
            ]),
        .executableTarget(
            name: "LoadDriver",
            dependencies: [
                .product(name: "AsyncHTTPClientTransport", package: "AuthHub"),
                .product(name: "HTTPLoading", package: "AuthHub"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .executableTarget(
            name: "SessionDriver",
            dependencies: [
                .product(name: "AsyncHTTPClientTransport", package: "AuthHub"),
                .product(name: "AuthHub", package: "AuthHub"),
                .product(name: "AuthHubPrimitives", package: "AuthHub"),
                .product(name: "HeadlessBrowsing", package: "AuthHub"),
                .product(name: "CredentialStorage", package: "AuthHub"),
                .product(name: "HTTPLoading", package: "AuthHub"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "OAuthProtocol", package: "AuthHub"),
                .product(name: "WebAuthentication", package: "AuthHub"),
            ]),
        .executableTarget(
            name: "ServerDriver",
            dependencies: [
                .product(name: "AuthHubPrimitives", package: "AuthHub"),
                .product(name: "DevelopmentServer", package: "AuthHub"),
            ]),
    ],
    swiftLanguageModes: [.v6])

for target in package.targets {
    target.swiftSettings =
        (target.swiftSettings ?? [])
        + ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
        .map { .enableUpcomingFeature($0) }
        + [.treatAllWarnings(as: .error)]
}
