// swift-tools-version: 6.2

// Compiles and runs the adapters for Apple systems on Linux, over FoundationNetworking, as far as that goes. Scripts/proofs/apple-adapters runs it.
import PackageDescription

let package = Package(
    name: "AppleAdapters",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "AuthHub", path: "../.."),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
    ],
    targets: [
        // The very files of URLSessionTransport, and what Foundation lacks on Linux.
        .target(
            name: "SystemTransportOnLinux",
            dependencies: [
                .product(name: "AuthHubPrimitives", package: "AuthHub"),
                .product(name: "HTTPLoading", package: "AuthHub"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: [.define("URLSESSION_ON_LINUX")]),
        .testTarget(
            name: "SystemTransportTests",
            dependencies: [
                "SystemTransportOnLinux",
                .product(name: "HTTPLoading", package: "AuthHub"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
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
