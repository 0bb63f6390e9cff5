import AppStore

/// Alters what the Server API says rightly.
enum SignedForgery {
  /// The signature of something else.
  static func changingSignature(_ text: String) -> String {
    guard let jws = CompactJWS(text), var signature = CompactJWS.bytes(of: jws.signature) else { return text }
    signature[signature.count - 1] ^= 1
    return "\(jws.header).\(jws.payload).\(CompactJWS.part(signature))"
  }

  /// Rightly signed, for an app that nobody asked about.
  static func ofAnotherApp(_ text: String, _ signer: FakeSigner) -> String {
    guard let jws = CompactJWS(text), let payload = CompactJWS.bytes(of: jws.payload) else { return text }
    return signer.sign(payload.replacing("\"bundleId\":\"", with: "\"bundleId\":\"com.example.elsewhere."))
  }

  static func body(_ body: [UInt8], with fault: AnswerFault, _ random: inout SplitMix64) -> [UInt8] {
    switch fault {
    case .truncated: body.firstHalf
    case .wrongTypes:
      body.replacing("\"signedTransactions\":[", with: "\"signedTransactions\":7, \"was\":[")
        .replacing("\"data\":[", with: "\"data\":{}, \"was\":[")
        .replacing("\"signedTransactionInfo\":\"", with: "\"signedTransactionInfo\":[], \"was\":\"", most: 1)
    case .duplicateKeys:
      body.replacing("\"hasMore\":", with: "\"hasMore\":null, \"hasMore\":")
        .replacing("\"data\":[", with: "\"data\":[], \"data\":[")
        .replacing("\"signedTransactions\":[", with: "\"signedTransactions\":[], \"signedTransactions\":[")
    case .deepNesting: Forgery.deepNesting(&random)
    case .invalidUTF8: Forgery.invalidUTF8(body, &random)
    case .anotherBundle:
      body.replacing("\"bundleId\":\"", with: "\"bundleId\":\"com.example.elsewhere.")
    case .wrongEnvironment: Forgery.swappingEnvironments(body)
    default: body
    }
  }
}
