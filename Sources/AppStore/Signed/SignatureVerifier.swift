import FoundationEssentials
import Subscriptions
import Synchronization

/// Content of signed data, decoded after its signature is verified.
public protocol SignedPayload: Decodable, Sendable {
  /// Time of the signature by Apple's clock; `nil` if the payload does not contain it.
  var signedAt: Instant? { get }
  /// Name of the payload for messages, and the maximum size of its signed form in bytes.
  static var limit: (what: String, bytes: Int) { get }
}

extension SignedPayload {
  public static var limit: (what: String, bytes: Int) {
    ("a signed transaction or renewal info", FieldLimits.signedRow)
  }
}

/// Verifies data signed by the App Store: *App Store Server API › JWSTransaction*.
///
/// The last of the header's three certificates is ignored, because only the verifier's own root is trusted.
/// The leaf and the intermediate must contain Apple's marker extensions, and all certificates must have been
/// valid at the time of the signature. Certificate revocation is not checked.
public final class SignatureVerifier: Sendable {
  /// Object identifiers of Apple's marker extensions, from its *WWDR Certification Practice Statement*.
  public static let leafMark = "1.2.840.113635.100.6.11.1"
  public static let intermediateMark = "1.2.840.113635.100.6.2.1"

  private let root: Certificate
  /// Verified certificate chains by encoded header, which thousands of rows share.
  private let chains = Mutex<[Substring: Chain]>([:])

  private struct Chain: Sendable {
    var key: ES256Key
    var validity: ClosedRange<Instant>
  }

  private struct Header: Decodable {
    var alg: String?
    var x5c: [String]?
    /// Whether the header has a `crit` member (RFC 7515 §4.1.11), which Apple does not use.
    var isCritical: Bool

    private enum CodingKeys: CodingKey { case alg, x5c, crit }

    init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: CodingKeys.self)
      alg = try members.decodeIfPresent(String.self, forKey: .alg)
      x5c = try members.decodeIfPresent([String].self, forKey: .x5c)
      isCritical = members.contains(.crit)
    }
  }

  public init(root: Certificate) { self.root = root }

  public func read<Payload: SignedPayload>(
    _ text: String, as type: Payload.Type = Payload.self
  ) throws(SignedDataProblem) -> Payload {
    guard text.utf8.count <= type.limit.bytes else {
      let breach = FieldLimits.breach(byBytes: text.utf8.count, over: type.limit.bytes) ?? ""
      throw .untrusted("\(type.limit.what) \(breach)")
    }
    guard let jws = CompactJWS(text) else { throw .notSigned }
    do throws(SignedDataProblem) {
      return try verified(jws, as: type)
    } catch {
      throw Self.isLocal(jws) ? .local : error
    }
  }

  private func verified<Payload: SignedPayload>(
    _ jws: CompactJWS, as type: Payload.Type
  ) throws(SignedDataProblem) -> Payload {
    let chain = try chain(of: jws)
    guard let signature = CompactJWS.bytes(of: jws.signature), chain.key.verifies(signature, of: jws.signed)
    else { throw .signature }
    guard let bytes = CompactJWS.bytes(of: jws.payload) else { throw .signature }
    // If an object has two members with the same name, parsers differ in which one they return.
    if let fault = StrictJSON.fault(in: bytes) { throw .refused("its payload \(fault)") }
    let payload: Payload
    do {
      payload = try JSONDecoder().decode(type, from: Data(bytes))
    } catch let problem as SignedDataProblem {
      throw problem
    } catch {
      throw .unreadable(DecodingProblem.text(error))
    }
    guard let signedAt = payload.signedAt else { throw .undated }
    guard chain.validity.contains(signedAt) else {
      let (from, until) = (chain.validity.lowerBound.iso8601, chain.validity.upperBound.iso8601)
      throw .refused(
        "it was signed at \(signedAt.iso8601), but its certificates are valid from \(from) to \(until)")
    }
    return payload
  }

  private func chain(of jws: CompactJWS) throws(SignedDataProblem) -> Chain {
    if let known = chains.withLock({ $0[jws.header] }) { return known }
    guard let header = CompactJWS.unverified(jws.header, as: Header.self) else { throw .unreadableHeader }
    if let fault = CompactJWS.bytes(of: jws.header).flatMap(StrictJSON.fault) {
      throw .untrusted("its header \(fault)")
    }
    guard !header.isCritical else {
      throw .untrusted("its header requires extensions (crit) that subtop does not support")
    }
    guard header.alg == "ES256" else { throw .untrusted("it is not signed with ES256") }
    let texts = header.x5c ?? []
    guard texts.count == 3 else { throw .untrusted("it has \(texts.count) certificates instead of 3") }
    let certificates = texts.prefix(2).compactMap {
      Data(base64Encoded: $0).flatMap { Certificate(der: Array($0)) }
    }
    guard certificates.count == 2 else { throw .unreadableCertificate }
    let (leaf, intermediate) = (certificates[0], certificates[1])
    if let reason = leaf.problem(below: intermediate, root) {
      throw .untrusted("its certificates do not lead to the trusted root certificate: \(reason)")
    }
    for (name, certificate, oid) in [
      ("leaf", leaf, Self.leafMark), ("intermediate", intermediate, Self.intermediateMark),
    ] where !certificate.has(oid) {
      throw .untrusted(
        "its \(name) certificate lacks the extension \(oid), which marks Apple's App Store certificates")
    }
    guard let key = leaf.key else { throw .untrusted("its certificate's key is not a P-256 key") }
    guard let validity = [leaf, intermediate, root].commonValidity else { throw .unreadableCertificate }
    let chain = Chain(key: key, validity: validity)
    chains.withLock { chains in
      // Reaching the limit is unlikely: Apple uses a leaf certificate for about two years.
      if chains.count >= 64 { chains.removeAll() }
      chains[Substring(String(jws.header))] = chain
    }
    return chain
  }

  private static func isLocal(_ jws: CompactJWS) -> Bool {
    struct Local: Decodable { var environment: String? }
    let environment = CompactJWS.unverified(jws.payload, as: Local.self)?.environment
    return environment == "Xcode" || environment == "LocalTesting"
  }
}

extension [Certificate] {
  fileprivate var commonValidity: ClosedRange<Instant>? {
    let all = compactMap(\.validity)
    guard all.count == count, let from = all.map(\.lowerBound).max(), let until = all.map(\.upperBound).min(),
      from <= until
    else { return nil }
    return from...until
  }
}
