import AppStore
import FoundationEssentials
import Testing

@Suite struct Base64URLTests {
  private static func reference(_ text: String) -> [UInt8]? {
    let standard = text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
    let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    return Data(base64Encoded: String(standard) + padding).map(Array.init)
  }

  @Test func everyLengthRoundTrips() {
    for length in 0...70 {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 197 &+ length &* 31) }
      let text = CompactJWS.part(bytes)
      #expect(CompactJWS.bytes(of: Substring(text)) == bytes)
      #expect(CompactJWS.bytes(of: Substring(text)) == Self.reference(text))
    }
  }

  @Test(arguments: ["A", "AAAAA", "AA=", "AA==", "A+AA", "A/AA", "AA A", "AAA\n", "AÄA", "AAA\0", "=", "."])
  func rejectsInvalidBase64URL(_ text: String) {
    #expect(CompactJWS.bytes(of: Substring(text)) == nil)
  }

  @Test(arguments: [
    "", ".", "..", "a.b", "a..c", ".b.c", "a.b.", "a.b.c.d", "a.b.c.", "a.b=.c", "a.b.c\n", "ä.b.c", "a.b. c",
    "a.b.c\0", "a b.c.d",
  ])
  func requiresThreeParts(_ text: String) {
    #expect(CompactJWS(text) == nil)
  }

  @Test func partsAreAsTheyCame() throws {
    let jws = try #require(CompactJWS("ab-_.c.dEf9"))
    #expect((jws.header, jws.payload, jws.signature) == ("ab-_", "c", "dEf9"))
    #expect(Array(jws.signed) == Array("ab-_.c".utf8))
    #expect(jws.text == "ab-_.c.dEf9")
  }
}
