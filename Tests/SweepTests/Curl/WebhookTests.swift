import Sweep
import TestSupport
import Testing

@Suite struct WebhookTests {
  @Test func postsTheTextOnce() throws {
    let server = try CannedServer { _ in .answer("ok") }
    defer { server.close() }
    let webhook = try #require(Webhook(server.url))
    #expect(webhook.post(#"{"alert":"a"}"#, within: 240_000) == nil)
    let request = try #require(server.requests.first)
    #expect(server.requests.count == 1 && request.text == #"{"alert":"a"}"#)
    #expect(
      request.line.hasPrefix("POST /verifyReceipt ") && request.headers["content-type"] == "application/json")
  }

  @Test(arguments: [204, 301, 307, 400, 404, 500]) func onlySuccessIsOne(_ status: Int) throws {
    let server = try CannedServer { _ in
      .answer("", status: status, headers: ["Location: http://127.0.0.1:1/elsewhere"])
    }
    defer { server.close() }
    let problem = try #require(Webhook(server.url)).post("{}", within: 240_000)
    #expect(problem == (status == 204 ? nil : "HTTP \(status)"))
    #expect(server.requests.count == 1, "redirects are not followed")
  }

  @Test func isGivenUpAfterItsTime() throws {
    let server = try CannedServer { _ in CannedReply(steps: [.hold]) }
    defer { server.close() }
    let webhook = try #require(Webhook(server.url))
    let problem = try #require(webhook.post("{}", within: 300))
    #expect(problem.contains("time") && !problem.contains(server.url))
  }
}
