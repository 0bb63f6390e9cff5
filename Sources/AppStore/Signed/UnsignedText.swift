/// Text that is no signed JSON.
enum UnsignedText {
  private struct Header: Decodable { var alg: String? }

  /// Why it is none: what leaves its signature out may say itself by which algorithm it has none (RFC 7515 §A.5).
  static func problem(of text: String) -> SignedDataProblem {
    guard text.utf8.last == UInt8(ascii: "."), let jws = CompactJWS(text + "AA"),
      let name = CompactJWS.unverified(jws.header, as: Header.self)?.alg, name != "ES256"
    else { return .notSigned }
    return .algorithm(named: name)
  }
}
