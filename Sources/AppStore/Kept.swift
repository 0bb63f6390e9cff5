import Subscriptions

/// A body from the App Store that files may have in an object, as its member `envelope`.
protocol KeptBody: Decodable {
  static var envelope: WireName { get }
}

/// A body, bare or in an object that says whose it is and when it came.
struct Kept<Body: KeptBody>: Decodable {
  let appUserID: AppUserID?
  let observedAt: Instant?
  let body: Body

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: WireName.self)
    guard values.contains(Body.envelope) else {
      (appUserID, observedAt, body) = (nil, nil, try Body(from: decoder))
      return
    }
    appUserID = try values.text(.appUserID).map(AppUserID.init)
    observedAt = try values.instant(.observedAtMilliseconds, orText: .observedAtMilliseconds)
    body = try values.decode(Body.self, forKey: Body.envelope)
  }
}
