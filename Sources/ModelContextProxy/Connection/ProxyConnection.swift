import AuthHubPrimitives
package import HTTPLoading
package import HTTPTypes

/// A proxy between a host and a server. It carries out the effects of its ``ProxyMachine``, and reports what happens.
package actor ProxyConnection {
    package enum Output: Sendable {
        /// A message for the host.
        case message([UInt8])
        /// A warning for the user.
        case warning(String)
        /// Why a message that has no response failed, for the user.
        case failure(ProxyFailure)
    }

    private struct Running {
        let task: Task<Void, Never>
        /// Requests the next bytes of the response's body.
        let demands: AsyncStream<Void>.Continuation
    }

    private let url: String
    private let fields: HTTPFields
    private let account: any ProxyAccount
    private let output: @Sendable (Output) -> Void
    private let clock: LoadClock
    private var machine: ProxyMachine
    private var running: [ProxyRequest.ID: Running] = [:]
    private var timer: Task<Void, Never>?
    private let (ends, end) = AsyncStream.makeStream(of: Void.self)

    /// - Parameters:
    ///   - url: The server's URL.
    ///   - fields: The header fields that the user adds to each request. If one of them is `Authorization`, no one is signed in.
    ///   - login: The command that signs in at the server.
    package init(
        to url: String, adding fields: HTTPFields = [:], login: String, account: any ProxyAccount,
        clock: LoadClock = .continuous, output: @escaping @Sendable (Output) -> Void
    ) {
        (self.url, self.fields, self.account, self.output, self.clock) = (url, fields, account, output, clock)
        machine = ProxyMachine(
            ProxyMachine.Server(
                url: url, login: login, usesAccount: fields[.authorization] == nil,
                ownIDs: "authhub-\(Base64URL.encode(randomBytes(count: 12)))"))
    }

    /// Forwards the lines of the host. Returns when they have ended and all are answered, or when the task is cancelled, after the session
    /// at the server has ended.
    package func run(_ lines: AsyncStream<HostLine>) async {
        let (cancellations, cancellation) = AsyncStream.makeStream(of: Void.self)
        let reading = Task {
            for await line in lines { receive(.received(line)) }
            receive(.inputEnded)
        }
        // All tasks begin in this one, whose task-local values they need.
        let cancelling = Task { for await _ in cancellations { receive(.cancelled) } }
        let ends = ends
        await withTaskCancellationHandler {
            // The end of the session is sent even if this task is cancelled.
            await Task { for await _ in ends {} }.value
        } onCancel: {
            cancellation.yield()
        }
        for task in [reading, cancelling, timer].compactMap(\.self) { task.cancel() }
    }

    private func receive(_ event: ProxyMachine.Event) {
        for effect in machine.handle(event, at: clock.now) { perform(effect) }
    }

    private func perform(_ effect: ProxyMachine.Effect) {
        switch effect {
        case .send(let request):
            let (stream, demands) = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                await self.exchange(request, stream)
                self.running[request.id] = nil
            }
            running[request.id] = Running(task: task, demands: demands)
        case .read(let id): running[id]?.demands.yield()
        case .close(let id): running[id]?.task.cancel()
        case .write(let message): output(.message(message))
        case .warn(let text): output(.warning(text))
        case .report(let failure): output(.failure(failure))
        case .signIn(let need):
            Task {
                do throws(ProxyFailure) {
                    receive(.signInEnded(.success(try await account.signIn(need))))
                } catch {
                    receive(.signInEnded(.failure(error)))
                }
            }
        case .askOthers(let need): Task { receive(.othersAsked(await account.hasOtherSignIn(for: need))) }
        case .wait(let instant):
            timer?.cancel()
            timer = Task {
                guard (try? await clock.sleep(until: instant)) != nil else { return }
                receive(.time)
            }
        case .finish: end.finish()
        }
    }

    /// Sends a request, and reads as much of the response's body as the machine asks for.
    private func exchange(_ request: ProxyRequest, _ demands: AsyncStream<Void>) async {
        do throws(ProxyFailure) {
            let (response, signIn) = try await account.load(try await load(request))
            defer { response.body.cancel() }
            receive(.responded(ServerResponse(response, signIn: signIn), to: request.id))
            var iterator = response.body.makeAsyncIterator()
            for await _ in demands {
                let bytes: ArraySlice<UInt8>?
                do throws(LoadError) {
                    bytes = try await iterator.next()
                } catch {
                    throw await account.failure(error)
                }
                guard let bytes else { return receive(.bodyEnded(request.id)) }
                receive(.read(bytes, of: request.id))
            }
        } catch {
            receive(.failed(error, request.id))
        }
    }

    private func load(_ request: ProxyRequest) async throws(ProxyFailure) -> LoadRequest {
        do throws(LoadError) {
            var load = try LoadRequest(
                request.method, url, headers: request.fields, body: request.body.isEmpty ? .empty : .bytes(request.body))
            for field in fields { load.head.headerFields[field.name] = field.value }
            load.options[AttemptTimeout.self] = request.timeout
            load.options[RedirectScope.self] = .sameOrigin
            return load
        } catch {
            throw await account.failure(error)
        }
    }
}
