import Sweep
import Testing

@Suite struct AppStoreEndpointTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let text: String
    var url: String?
    var refusal: String?

    static func taken(_ name: String, _ text: String, _ url: String? = nil) -> Self {
      Self(testDescription: name, text: text, url: url ?? text)
    }

    static func refused(_ name: String, _ text: String, _ words: String) -> Self {
      Self(testDescription: name, text: text, refusal: words)
    }
  }

  static let cases: [Case] = [
    .taken("Apple's", "https://buy.itunes.apple.com/verifyReceipt"),
    .taken("https on any host and port", "https://store.example.com:8443/verifyReceipt"),
    .taken("https on loopback", "https://127.0.0.1:1/verifyReceipt"),
    .taken("http on 127.0.0.1", "http://127.0.0.1:8080/verifyReceipt"),
    .taken("http anywhere in 127.0.0.0/8", "http://127.8.9.10/verifyReceipt"),
    .taken("http on the short form", "http://127.1/verifyReceipt", "http://127.0.0.1/verifyReceipt"),
    .taken("http on ::1", "http://[::1]:8080/verifyReceipt"),
    .taken("http on localhost", "http://localhost:8080/verifyReceipt"),
    .taken("capital letters", "HTTP://LOCALHOST/v", "http://LOCALHOST/v"),
    .refused("http elsewhere", "http://store.example.com/v", "unencrypted"),
    .refused(
      "http on a name that only begins so", "http://127.0.0.1.example.com/v",
      "unencrypted"),
    .refused(
      "http on a host that begins with localhost", "http://localhost.example.com/v",
      "unencrypted"),
    .refused("http on 128.0.0.1", "http://128.0.0.1/v", "unencrypted"),
    .refused("http on every address", "http://0.0.0.0/v", "unencrypted"),
    .refused("user and password", "https://me:secret@store.example.com/v", "user name or password"),
    .refused("a user alone", "http://localhost@store.example.com/v", "user name or password"),
    .refused("loopback as a password", "http://a:127.0.0.1@store.example.com/v", "user name or password"),
    .refused("another scheme", "ftp://127.0.0.1/v", "neither https nor http"),
    .refused("a file", "file:///etc/passwd", "neither https nor http"),
    .refused("no scheme", "127.0.0.1:8080/verifyReceipt", "is not valid"),
    .refused("no host", "https://", "is not valid"),
    .refused("nothing", "", "is not valid"),
    .refused(
      "a space", "https://store.example.com/verify receipt",
      "is not valid"),
    .refused("a line break", "https://store.example.com\n/v", "is not valid"),
    .refused(
      "a port beyond the last", "https://store.example.com:70000/v",
      "is not valid"),
  ]

  @Test(arguments: cases) func acceptsOnlyHTTPSAndLoopback(_ one: Case) {
    do {
      let found = try AppStoreEndpoint(one.text)
      #expect(found.url == one.url)
    } catch {
      #expect(one.refusal.map { error.description.contains($0) } == true, "\(error)")
      #expect(!error.description.contains("secret"))
    }
  }

  @Test func theErrorEscapesControlCharacters() {
    let error = #expect(throws: EndpointError.self) { try AppStoreEndpoint("a\u{1B}[2Jb") }
    #expect(
      error?.description
        == "The App Store URL “a?[2Jb” is not valid; use one like https://buy.itunes.apple.com/verifyReceipt."
    )
  }
}
