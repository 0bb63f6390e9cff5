import Subscriptions

/// An answer that somebody kept: bare, or as `{"app_user_id": …, "observed_at_ms": …, "response": {…}}`.
public struct KeptResponse: Sendable {
  public let appUserID: AppUserID?
  public let observedAt: Instant?
  public let response: VerifyReceiptResponse

  /// - Throws: `UnreadableAnswer`, which names the field and never its content.
  public init(decoding bytes: [UInt8]) throws(UnreadableAnswer) {
    do {
      let wire = try StrictJSON.decode(Wire.self, from: bytes)
      appUserID = wire.appUserID
      observedAt = wire.observedAt
      response = VerifyReceiptResponse(wire.response, environment: nil)
    } catch let error as DecodingError {
      throw UnreadableAnswer(error)
    } catch {
      throw UnreadableAnswer(reason: "it is not JSON")
    }
  }

  private struct Wire: Decodable {
    let appUserID: AppUserID?
    let observedAt: Instant?
    let response: WireResponse

    enum CodingKeys: String, CodingKey {
      case appUserID = "app_user_id"
      case observedAt = "observed_at_ms"
      case response
    }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      guard values.contains(.response) else {
        appUserID = nil
        observedAt = nil
        response = try WireResponse(from: decoder)
        return
      }
      appUserID = try values.text(.appUserID).map(AppUserID.init)
      observedAt = try values.instant(.observedAt, orText: .observedAt)
      response = try values.decode(WireResponse.self, forKey: .response)
    }
  }
}
