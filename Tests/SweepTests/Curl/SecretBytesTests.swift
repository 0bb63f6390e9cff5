import Sweep
import Testing

@Suite struct SecretBytesTests {
  @Test func neverShowsItself() throws {
    let secret = SecretBytes(Array("hush".utf8))
    let transfer = Transfer(to: try AppStoreEndpoint("http://127.0.0.1/v"), body: secret)
    var dumped = ""
    dump([secret], to: &dumped)
    dump(transfer, to: &dumped)
    for text in [
      "\(secret)", "\([secret])", String(reflecting: secret), "\(transfer)", String(reflecting: transfer),
      dumped,
    ] {
      #expect(!text.contains("hush"))
      #expect(!text.contains("104"))
    }
  }
}
