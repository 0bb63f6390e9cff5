import Glibc
import TestSupport
import Testing

/// nginx as configured in `subtop help operating`, with curl in Apple's place.
@Suite("Listening behind a TLS proxy") struct ListenBehindProxyTests {
  private typealias Fields = SignedNotificationFields

  @Test func theLinesOfTheHelpPassNotificationsOn() async throws {
    let scene = try ListeningScene()
    let help = try await scene.subtop.run("help", "operating").output.split(separator: "\n")
    let lines = help.drop { !$0.hasPrefix("  server {") }.prefix(3)
    #expect(lines.last?.hasSuffix("} }") == true, "\(lines)")
    let (nginx, folder) = (try Nginx(), TemporaryFolder())
    let certificate = try ServerCertificate(.good, in: folder)
    let child = try scene.subtop.start(["listen", "--port", "0", "--config", try scene.configuration()])
    let url = try await soon("it listens: \(child.errors)") {
      child.output.split(separator: "\n").first.map(String.init)
    }
    var servers = lines.joined(separator: "\n")
    for (printed, here) in [
      ("listen 443 ", "listen 127.0.0.1:\(nginx.port) "), ("http://127.0.0.1:8990;", "\(url);"),
      ("/etc/ssl/subtop.pem;", "\(certificate.certificate);"),
      ("/etc/ssl/subtop.key;", "\(certificate.key);"),
    ] {
      #expect(servers.contains(printed))
      servers = servers.replacing(printed, with: here)
    }
    try nginx.start(servers)
    let curl = try #require(Program.installed("curl"), "make test-tools installs it")
    let body = try scene.subtop.file("body", scene.purchase(1))
    for (path, status) in [("/notifications", "200"), ("/metrics", "404")] {
      let client = try Child(
        curl,
        [
          "--silent", "--show-error", "--cacert", certificate.authority, "--resolve",
          "subtop.example.com:\(nginx.port):127.0.0.1", "--data-binary", "@\(body)", "--output", "/dev/null",
          "--write-out", "%{http_code}", "https://subtop.example.com:\(nginx.port)\(path)",
        ])
      #expect(try await client.ending() == .code(0), "\(client.errors)\(nginx.errors)")
      #expect(client.output == status, "\(path)")
    }
    try await child.stop()
    #expect(try scene.uuids() == [Fields.uuid(1)])
  }
}
