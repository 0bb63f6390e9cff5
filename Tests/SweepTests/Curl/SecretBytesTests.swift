import Sweep
import Testing

@Suite struct SecretBytesTests {
  @Test func neverShowsItself() {
    let secret = SecretBytes(Array("hush".utf8))
    var dumped = ""
    dump([secret], to: &dumped)
    for text in ["\(secret)", "\([secret])", String(reflecting: secret), dumped] {
      #expect(!text.contains("hush"))
      #expect(!text.contains("104"))
    }
  }
}
