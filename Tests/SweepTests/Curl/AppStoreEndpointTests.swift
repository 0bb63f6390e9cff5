import Sweep
import Testing

@Suite struct AppStoreEndpointTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let expected: Result<String, EndpointError>

    static func taken(_ name: String, _ text: String, _ url: String? = nil) -> Self {
      Self(testDescription: name, text: text, expected: .success(url ?? text))
    }

    static func refused(_ name: String, _ text: String, _ error: EndpointError) -> Self {
      Self(testDescription: name, text: text, expected: .failure(error))
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
    .refused("http elsewhere", "http://store.example.com/v", .plainHTTP("http://store.example.com/v")),
    .refused(
      "http on a name that only begins so", "http://127.0.0.1.example.com/v",
      .plainHTTP("http://127.0.0.1.example.com/v")),
    .refused(
      "http on localhost of somebody", "http://localhost.example.com/v",
      .plainHTTP("http://localhost.example.com/v")),
    .refused("http on 128.0.0.1", "http://128.0.0.1/v", .plainHTTP("http://128.0.0.1/v")),
    .refused("http on every address", "http://0.0.0.0/v", .plainHTTP("http://0.0.0.0/v")),
    .refused("user and password", "https://me:secret@store.example.com/v", .userInfo),
    .refused("a user alone", "http://localhost@store.example.com/v", .userInfo),
    .refused("loopback as a password", "http://a:127.0.0.1@store.example.com/v", .userInfo),
    .refused("another scheme", "ftp://127.0.0.1/v", .scheme("ftp://127.0.0.1/v")),
    .refused("a file", "file:///etc/passwd", .scheme("file:///etc/passwd")),
    .refused("no scheme", "127.0.0.1:8080/verifyReceipt", .unreadable("127.0.0.1:8080/verifyReceipt")),
    .refused("no host", "https://", .unreadable("https://")),
    .refused("nothing", "", .unreadable("")),
    .refused(
      "a space", "https://store.example.com/verify receipt",
      .unreadable("https://store.example.com/verify receipt")),
    .refused("a line break", "https://store.example.com\n/v", .unreadable("https://store.example.com\n/v")),
    .refused(
      "a port beyond the last", "https://store.example.com:70000/v",
      .unreadable("https://store.example.com:70000/v")),
  ]

  @Test(arguments: cases) func takesHTTPSAndLoopbackAlone(_ one: Case) {
    let found = Result { () throws(EndpointError) in try AppStoreEndpoint(one.text).url }
    #expect(found == one.expected)
  }

  @Test func theSentenceKeepsControlCharactersAndPasswordsToItself() {
    #expect(
      EndpointError.unreadable("a\u{1B}[2Jb").description
        == "The App Store URL “a?[2Jb” cannot be read; give one like https://buy.itunes.apple.com/verifyReceipt."
    )
    #expect(!EndpointError.userInfo.description.contains("secret"))
  }
}
