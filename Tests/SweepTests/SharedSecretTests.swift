import AppStore
import Sweep
import Testing

@Suite struct SharedSecretTests {
  @Test(arguments: ["", " ", "\n", "\r\n\t "]) func anEmptySecretIsRejected(_ text: String) {
    #expect(SharedSecret(text) == nil)
  }

  @Test func neverShowsItself() throws {
    let secret = try #require(SharedSecret("0123456789abcdef\n"))
    let transfer = Transfer(
      to: try AppStoreEndpoint("http://127.0.0.1/v"), body: SecretBytes(Array("0123456789abcdef".utf8)))
    var dumped = ""
    dump(["secret": secret, "again": secret], to: &dumped)
    dump(transfer, to: &dumped)
    for text in [
      "\(secret)", "\([secret])", "\(Optional(secret) as Any)", String(reflecting: secret), dumped,
      "\(transfer)", String(reflecting: transfer),
      "\(Mirror(reflecting: secret).children.map(\.value))",
    ] {
      #expect(!text.contains("0123"))
    }
  }

  /// Editors on some systems write a byte order mark.
  @Test func ignoresAByteOrderMark() throws {
    let secret = try #require(SharedSecret("\u{FEFF}0123456789abcdef\r\n"))
    #expect(secret.matches(NotificationPassword("0123456789abcdef")))
    #expect(SharedSecret("\u{FEFF}\n") == nil)
    #expect(!secret.holdsNUL)
    #expect(SharedSecret("0123\0")?.holdsNUL == true)
  }

  struct Comparison: CustomTestStringConvertible {
    let name: String
    let given: String
    var isSame = false
    var testDescription: String { name }
  }

  @Test(arguments: [
    Comparison(name: "the same", given: "0123456789abcdef", isSame: true),
    Comparison(name: "shorter", given: "0123456789abcde"),
    Comparison(name: "longer", given: "0123456789abcdef0"),
    Comparison(name: "twice", given: "0123456789abcdef0123456789abcdef"),
    Comparison(name: "its beginning", given: "0"), Comparison(name: "empty", given: ""),
    Comparison(name: "with a line break", given: "0123456789abcdef\n"),
    Comparison(name: "in capitals", given: "0123456789ABCDEF"),
  ])
  func matchesOnlyItself(_ test: Comparison) throws {
    let secret = try #require(SharedSecret(" 0123456789abcdef\n"))
    #expect(secret.matches(NotificationPassword(test.given)) == test.isSame)
  }

  @Test func everyByteCounts() {
    let secret = Array("0123456789abcdef".utf8)
    for place in secret.indices {
      for bit in 0..<8 {
        var other = secret
        other[place] ^= 1 << UInt8(bit)
        #expect(!SharedSecret.areSame(secret, other) && !SharedSecret.areSame(other, secret))
      }
    }
    #expect(SharedSecret.areSame([], []) && !SharedSecret.areSame([], [0]) && !SharedSecret.areSame([0], []))
  }
}
