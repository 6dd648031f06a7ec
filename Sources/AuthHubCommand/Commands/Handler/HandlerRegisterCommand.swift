import ArgumentParser
import WebAuthentication

struct HandlerRegisterCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: "Registers the handler of a scheme, for you alone.",
        discussion: "Writes a .desktop file under your data folder, and one line of mimeapps.list under your configuration folder.")

    @Argument(help: ArgumentHelp("The scheme without its colon, such as com.example.app.", valueName: "scheme"))
    var scheme: String

    @Flag(help: "Take the scheme over where another program has it.")
    var force = false

    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        do throws(WebAuthenticationError) {
            let handler = try CustomSchemeHandler(scheme: scheme)
            if case .claimed(let other) = try handler.status(), !force {
                throw WebAuthenticationError(
                    .refused, "\(other) handles \(handler.scheme) already; add --force to take it over")
            }
            if let caution = handler.caution { console.warn(caution) }
            try handler.register(command: [try OwnProgram.path(), "callback"], name: "AuthHub")
            try HandlerReport([handler]).put(on: console)
        } catch {
            throw .handler(error)
        }
    }
}

struct HandlerUnregisterCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "unregister", abstract: "Removes the handler of a scheme; another program's stays.")

    @Argument(help: ArgumentHelp("The scheme without its colon.", valueName: "scheme"))
    var scheme: String

    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        do throws(WebAuthenticationError) {
            let handler = try CustomSchemeHandler(scheme: scheme)
            try handler.unregister()
            try HandlerReport([handler]).put(on: console)
        } catch {
            throw .handler(error)
        }
    }
}

struct HandlerStatusCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Tells which schemes lead to this tool, and who else has them.")

    @Argument(help: ArgumentHelp("The scheme without its colon. Left out: all that were registered.", valueName: "scheme"))
    var scheme: String?

    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        do throws(WebAuthenticationError) {
            let schemes = scheme.map { [$0] } ?? CustomSchemeHandler.schemes()
            var handlers: [CustomSchemeHandler] = []
            for scheme in schemes { handlers.append(try CustomSchemeHandler(scheme: scheme)) }
            try HandlerReport(handlers).put(on: console)
        } catch {
            throw .handler(error)
        }
    }
}

extension Failure {
    fileprivate static func handler(_ error: WebAuthenticationError) -> Self {
        Self("handler_failed", .failed, error.message, hint: "authhub help handler")
    }
}
