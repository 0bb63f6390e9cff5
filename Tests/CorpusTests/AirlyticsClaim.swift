import Subscriptions

/// One assertion of a test of theirs, by its place in the line of EXPECTED.md.
struct AirlyticsClaim: Sendable {
  enum Said: Sendable {
    /// The text, which stands in the assertion.
    case text(String)
    /// The long number in the assertion: an id or a time.
    case number
    /// No value; the assertion is a statement, and true.
    case statement
  }

  enum Reading: Sendable {
    case met
    /// Our value, and why METRICS.md has it so.
    case differs(String, why: String)
    /// Nothing that METRICS.md knows, and why.
    case outside(String)
  }

  let place: Int
  let said: Said
  let reading: Reading
  let ours: @Sendable (AirlyticsFixture) -> String

  static func met(
    _ place: Int, _ said: String, _ ours: @escaping @Sendable (AirlyticsFixture) -> String
  ) -> Self {
    Self(place: place, said: .text(said), reading: .met, ours: ours)
  }

  static func number(_ place: Int, _ ours: @escaping @Sendable (AirlyticsFixture) -> String?) -> Self {
    Self(place: place, said: .number, reading: .met) { ours($0) ?? "nothing" }
  }

  static func time(_ place: Int, _ ours: @escaping @Sendable (AirlyticsFixture) -> Instant?) -> Self {
    number(place) { ours($0).map { String($0.rawValue) } }
  }

  static func holds(_ place: Int, _ ours: @escaping @Sendable (AirlyticsFixture) -> Bool) -> Self {
    Self(place: place, said: .statement, reading: .met) { String(ours($0)) }
  }

  static func differs(
    _ place: Int, _ said: String, _ value: String, _ why: String,
    _ ours: @escaping @Sendable (AirlyticsFixture) -> String
  ) -> Self {
    Self(place: place, said: .text(said), reading: .differs(value, why: why), ours: ours)
  }

  /// A statement that does not hold with us.
  static func fails(
    _ place: Int, _ why: String, _ ours: @escaping @Sendable (AirlyticsFixture) -> Bool
  ) -> Self {
    Self(place: place, said: .statement, reading: .differs("false", why: why)) { String(ours($0)) }
  }

  static func outside(_ places: Int..., why: String) -> [Self] {
    places.map { place in Self(place: place, said: .statement, reading: .outside(why)) { _ in "" } }
  }

  /// How many purchases there are, which is what most of their tests begin with.
  static func purchases(_ count: Int, at place: Int = 0) -> Self {
    met(place, String(count)) { String($0.purchases.count) }
  }
}

/// A test of theirs with every assertion that it makes.
struct AirlyticsTest: Sendable {
  let name: String
  let claims: [AirlyticsClaim]

  init(_ name: String, _ claims: [AirlyticsClaim], _ others: [AirlyticsClaim]...) {
    self.name = name
    self.claims = claims + others.flatMap(\.self)
  }
}
