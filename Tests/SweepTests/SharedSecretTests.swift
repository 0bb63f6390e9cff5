import Sweep
import Testing

@Suite struct SharedSecretTests {
  @Test(arguments: ["", " ", "\n", "\r\n\t "]) func nothingIsNoSecret(_ text: String) {
    #expect(SharedSecret(text) == nil)
  }

  @Test func neverShowsItself() throws {
    let secret = try #require(SharedSecret("0123456789abcdef\n"))
    var dumped = ""
    dump(["secret": secret, "again": secret], to: &dumped)
    for text in [
      "\(secret)", "\([secret])", "\(Optional(secret) as Any)", String(reflecting: secret), dumped,
      "\(Mirror(reflecting: secret).children.map(\.value))",
    ] {
      #expect(!text.contains("0123"))
    }
  }
}
