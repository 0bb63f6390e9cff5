import AppStore
import FakeAppStore
import FoundationEssentials
import Subscriptions
import TestSupport
import Testing

/// Verifies the x5c chain in OpenSSL's strict mode, which Apple's own libraries use.
@Suite("The chain of the fake App Store in OpenSSL's strict mode", .timeLimit(.minutes(10)))
struct StrictChainTests {
  private struct Header: Decodable { let x5c: [String] }

  @Test func isTaken() async throws {
    try await withServer { server, port in
      let scene = try ServerAPIScene(server, port)
      let answer = await scene.history(Town.ann).answer
      let text = try #require(answer?["signedTransactions"]?.list.first?.text)
      let jws = try #require(CompactJWS(text))
      let chain = try #require(CompactJWS.unverified(jws.header, as: Header.self)).x5c
      let certificates = chain.compactMap { Data(base64Encoded: $0).flatMap { Certificate(der: Array($0)) } }
      try #require(certificates.count == 3)
      let root = try #require(server.rootCertificate)
      #expect(certificates[2].der == root.der)
      let folder = TemporaryFolder()
      func file(_ name: String, _ certificate: Certificate) throws -> String {
        try Data(certificate.pem.utf8).write(to: URL(filePath: folder.file(name)))
        return folder.file(name)
      }
      try runProgram(
        "/usr/bin/openssl",
        [
          "verify", "-x509_strict", "-check_ss_sig", "-CAfile", try file("root.pem", root), "-untrusted",
          try file("intermediate.pem", certificates[1]), try file("leaf.pem", certificates[0]),
        ])
    }
  }
}
