// swift-tools-version: 6.2

import PackageDescription

// Your package does not need this. The tests use the same folder: with other traits than theirs, everything would be built again there.
let traits: Set<Package.Dependency.Trait> =
    Context.environment["AUTHHUB_TRAITS_OF_TESTS"] == nil ? [.defaults] : ["AsyncHTTPClient", "PostgreSQL"]

let package = Package(
    name: "LoaderChain",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "AuthHub", path: "../..", traits: traits),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
    ],
    targets: [
        .executableTarget(
            name: "LoaderChain",
            dependencies: [
                .product(name: "AsyncHTTPClientTransport", package: "AuthHub"),
                .product(name: "AuthHub", package: "AuthHub"),
                .product(name: "AuthHubPrimitives", package: "AuthHub"),
                .product(name: "AuthHubTesting", package: "AuthHub"),
                .product(name: "CredentialStorage", package: "AuthHub"),
                .product(name: "HTTPLoading", package: "AuthHub"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "OAuthProtocol", package: "AuthHub"),
            ])
    ],
    swiftLanguageModes: [.v6])

for target in package.targets {
    target.swiftSettings =
        (target.swiftSettings ?? [])
        + ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
        .map { .enableUpcomingFeature($0) }
        + [.treatAllWarnings(as: .error)]
}
