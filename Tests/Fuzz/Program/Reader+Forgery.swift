import AppStore
import FoundationEssentials
import Subscriptions

/// Changes a signed transaction according to the input: its text, its header, or one of its certificates.
extension Reader {
  func readForgery(_ bytes: [UInt8]) {
    guard let mode = bytes.first else { return }
    let edits = bytes.dropFirst()
    switch mode % 4 {
    case 0: changeText(edits)
    case 1: changeHeader(edits)
    case 2: changeCertificate(0, edits)
    default: changeCertificate(1, edits)
    }
  }

  private static let payload = Array(
    """
    {"transactionId":"1","originalTransactionId":"1","productId":"monthly","purchaseDate":1767225600000,\
    "signedDate":1767225600000,"environment":"Production","bundleId":"com.example"}
    """.utf8)
  private static let original = Authority.own.sign(payload) ?? ""
  private static let certificates = [
    Authority.own.signing.leaf.der, Authority.own.signing.intermediate.der,
  ]

  private func changeText(_ edits: ArraySlice<UInt8>) {
    let text = String(decoding: edited(Array(Self.original.utf8), edits, with: [0x2E]), as: UTF8.self)
    guard let row = verified(text), let jws = CompactJWS(text), let original = CompactJWS(Self.original)
    else { return }
    check(
      row.signedAt != nil && (jws.header, jws.payload) == (original.header, original.payload),
      "something is taken that was changed after it was signed")
  }

  private func changeHeader(_ edits: ArraySlice<UInt8>) {
    let foreign = Authority.stranger.signing.leaf
    let own = Authority.own.signing.header.x5c ?? []
    let header = edited(Authority.json(own), edits, with: Array(foreign.der.base64.utf8))
    refuseStranger(CompactJWS.part(header))
  }

  private func changeCertificate(_ place: Int, _ edits: ArraySlice<UInt8>) {
    var certificates = Self.certificates
    certificates[place] = edited(
      certificates[place], edits, with: Array(Authority.stranger.signing.leaf.der.suffix(200)))
    let texts = certificates.map(\.base64) + [Authority.stranger.signing.root.der.base64]
    let header = CompactJWS.part(Authority.json(texts))
    refuseStranger(header)
    // Changed certificates that still lead to the root are harmless.
    if let text = Authority.own.sign(Self.payload, header: header) { _ = verified(text) }
  }

  /// No header may make a signature valid whose key belongs to none of the trusted certificates.
  private func refuseStranger(_ header: String) {
    guard let text = Authority.stranger.sign(Self.payload, header: header) else { return }
    check(verified(text) == nil, "something is taken that a stranger signed under another's certificates")
  }

  private func verified(_ text: String) -> SignedTransaction? {
    judged { () throws(SignedDataProblem) in
      try Authority.own.verifier.read(text, as: SignedTransaction.self)
    }
  }

  /// Applies edits of four bytes: operation, 16-bit position, operand.
  private func edited(_ original: [UInt8], _ edits: ArraySlice<UInt8>, with foreign: [UInt8]) -> [UInt8] {
    var (bytes, rest) = (original, edits.prefix(256))
    while rest.count >= 4, !bytes.isEmpty {
      let edit = Array(rest.prefix(4))
      rest = rest.dropFirst(4)
      let place = (Int(edit[1]) << 8 | Int(edit[2])) % bytes.count
      switch edit[0] % 6 {
      case 0: bytes[place] = edit[3]
      case 1: bytes.insert(edit[3], at: place)
      case 2: bytes.remove(at: place)
      case 3: bytes.removeSubrange(place..<min(bytes.count, place + Int(edit[3])))
      case 4: bytes.insert(contentsOf: foreign, at: place)
      default: bytes.replaceSubrange(place..<min(bytes.count, place + foreign.count), with: foreign)
      }
    }
    return bytes
  }
}

extension [UInt8] {
  fileprivate var base64: String { Data(self).base64EncodedString() }
}
