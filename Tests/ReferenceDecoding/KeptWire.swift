import Subscriptions

/// An answer that somebody kept.
struct KeptAnswer: Decodable {
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

/// A notification that somebody kept.
struct KeptBody: Decodable {
  let appUserID: AppUserID?
  let observedAt: Instant?
  let body: WireNotification

  enum CodingKeys: String, CodingKey {
    case appUserID = "app_user_id"
    case observedAt = "observed_at_ms"
    case notification
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    guard values.contains(.notification) else {
      appUserID = nil
      observedAt = nil
      body = try WireNotification(from: decoder)
      return
    }
    appUserID = try values.text(.appUserID).map(AppUserID.init)
    observedAt = try values.instant(.observedAt, orText: .observedAt)
    body = try values.decode(WireNotification.self, forKey: .notification)
  }
}
