import AppStore
import FakeAppStore
import SecureFakeAppStore
import Subscriptions
import TestSupport
import Testing

@Suite struct SecureServerTests {
  private func withSecureServer(
    faults: [FaultRate] = [], offersHTTP2: Bool = true,
    _ body: (FakeAppStoreServer, Int, FakeCertificates) async throws -> Void
  ) async throws {
    let folder = TemporaryFolder()
    let certificates = try FakeCertificates(madeIn: folder.path)
    var configuration = FakeAppStoreConfiguration(clock: FakeClock(fixedAt: Town.now))
    configuration.faults = faults
    configuration.faultSettings.handshakeDelay = 1
    configuration.faultSettings.patience = 100
    var tls = certificates.tls
    tls.offersHTTP2 = offersHTTP2
    let server = FakeAppStoreServer(configuration, tls: tls)
    let port = try await server.start()
    defer { server.stop() }
    try await body(server, port, certificates)
  }

  /// curl, which prints the body and then, on a line of its own, HTTP's version and status.
  private func curl(
    _ version: String, trusting authority: String, host: String = "127.0.0.1", port: Int
  ) async
    -> Command
  {
    await Command.run(
      "curl", "-q", "-s", version, "--cacert", authority, "--max-time", "60", "--data-binary", "@-",
      "-w", "\n%{http_version} %{http_code}", "https://\(host):\(port)/verifyReceipt",
      input: Town.question())
  }

  private static func said(_ version: String) -> [UInt8] {
    Town.rightAnswer() + Array("\n\(version) 200".utf8)
  }

  struct Version: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let option: String
    let spoken: String
    let offersHTTP2: Bool
  }

  @Test(
    arguments: [
      Version(testDescription: "HTTP/2 offered and taken", option: "--http2", spoken: "2", offersHTTP2: true),
      Version(
        testDescription: "HTTP/2 offered and not taken", option: "--http1.1", spoken: "1.1", offersHTTP2: true
      ),
      Version(testDescription: "HTTP/2 not offered", option: "--http2", spoken: "1.1", offersHTTP2: false),
    ])
  func speaks(_ version: Version) async throws {
    try await withSecureServer(offersHTTP2: version.offersHTTP2) { server, port, certificates in
      let run = await curl(version.option, trusting: certificates.authority, port: port)
      #expect(run.exitCode == 0 && run.output == Self.said(version.spoken))
      #expect(server.url() == "https://127.0.0.1:\(port)/verifyReceipt")
      let traffic = server.traffic
      #expect(traffic.connections == 1 && traffic.requests == 1)
      #expect(traffic.requestsOverHTTP2 == (version.spoken == "2" ? 1 : 0))
    }
  }

  @Test("Only who is told to trusts it")
  func isDistrusted() async throws {
    try await withSecureServer { server, port, certificates in
      let stranger = await curl("--http2", trusting: certificates.selfSigned.certificate, port: port)
      #expect(stranger.exitCode == 60, "curl: the peer's certificate cannot be authenticated")
      let byName = await curl("--http2", trusting: certificates.authority, host: "localhost", port: port)
      #expect(byName.exitCode == 0)
      #expect(server.traffic.requests == 1)
    }
  }

  @Test func badCertificatesTakeTurns() async throws {
    let faults = [FaultRate(.badCertificate, rate: 1)]
    try await withSecureServer(faults: faults) { server, port, certificates in
      for _ in 0..<2 {
        #expect(await curl("--http2", trusting: certificates.authority, port: port).exitCode == 60)
      }
      // One of them is its own authority, and good for whoever trusts it.
      let trusted = certificates.selfSigned.certificate
      let codes = [
        await curl("--http2", trusting: trusted, port: port).exitCode,
        await curl("--http2", trusting: trusted, port: port).exitCode,
      ]
      #expect(codes == [60, 0])
      #expect(server.traffic.faults == [.badCertificate: 4] && server.traffic.requests == 1)
      server.setFaults([])
      #expect(await curl("--http2", trusting: certificates.authority, port: port).exitCode == 0)
    }
  }

  struct Trial: Sendable, CustomTestStringConvertible {
    let fault: Fault
    let option: String
    /// What curl's manual calls it; 0 is none.
    let exitCodes: Set<Int32>
    var testDescription: String { "\(fault.rawValue) \(option)" }

    static let all =
      ["--http2", "--http1.1"].flatMap { option in
        [
          Trial(fault: .refuse, option: option, exitCodes: [7, 35]),
          Trial(fault: .slowHandshake, option: option, exitCodes: [0]),
          Trial(fault: .chunked, option: option, exitCodes: [0]),
        ]
      } + [
        Trial(fault: .reset, option: "--http1.1", exitCodes: [52, 56]),
        Trial(fault: .reset, option: "--http2", exitCodes: [52, 55, 56, 92]),
        Trial(fault: .resetMidBody, option: "--http1.1", exitCodes: [56]),
        Trial(fault: .resetMidBody, option: "--http2", exitCodes: [56, 92]),
        Trial(fault: .cut, option: "--http1.1", exitCodes: [18, 56]),
        Trial(fault: .cut, option: "--http2", exitCodes: [18, 56, 92]),
        Trial(fault: .stall, option: "--http1.1", exitCodes: [52, 56]),
        Trial(fault: .stall, option: "--http2", exitCodes: [52, 56, 92]),
        Trial(fault: .drip, option: "--http1.1", exitCodes: [56]),
        Trial(fault: .drip, option: "--http2", exitCodes: [56, 92]),
      ]
  }

  @Test("Faults reach through TLS", arguments: Trial.all)
  func faults(_ trial: Trial) async throws {
    try await withSecureServer(faults: [FaultRate(trial.fault, rate: 1)]) { server, port, certificates in
      let run = await curl(trial.option, trusting: certificates.authority, port: port)
      #expect(trial.exitCodes.contains(run.exitCode), "\(run.exitCode)")
      #expect(server.traffic.faults[trial.fault] != nil)
      server.setFaults([])
      let again = await curl(trial.option, trusting: certificates.authority, port: port)
      #expect(again.output == Self.said(trial.option == "--http2" ? "2" : "1.1"))
    }
  }

  @Test func aConnectionIsCountedOnce() async throws {
    try await withSecureServer { server, port, certificates in
      let url = "https://127.0.0.1:\(port)/verifyReceipt"
      let run = await Command.run("curl", "-q", "-s", "--cacert", certificates.authority, url, url, url)
      #expect(run.exitCode == 0)
      let traffic = server.traffic
      #expect(traffic.connections == 1 && traffic.requests == 3 && traffic.requestsOverHTTP2 == 3)
    }
  }

  @Test func missingFilesAreToldInASentence() async {
    let nowhere = FakeTLS.Identity(certificate: "/nowhere/good.pem", key: "/nowhere/good.key")
    let server = FakeAppStoreServer(FakeAppStoreConfiguration(), tls: FakeTLS(nowhere))
    await #expect(throws: FakeAppStoreProblem.self) { try await server.start() }
    let error = #expect(throws: FakeCertificatesProblem.self) {
      try FakeCertificates(madeIn: "/nowhere")
    }
    #expect(error?.description.hasPrefix("openssl could not make /nowhere/") == true)
  }
}
