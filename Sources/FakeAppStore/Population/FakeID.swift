import Subscriptions

/// Id in the fake App Store; it contains the subscriber's index, so that no lookup is needed.
///
/// A subscriber can have 4,096 ids of each kind, with 15 digits in production and 16 in the sandbox.
struct FakeID: Hashable, Sendable {
  enum Kind: Int, Sendable { case transaction, webOrderLineItem, appTransaction }

  let isSandbox: Bool
  let kind: Kind
  let index: Int
  /// Number of the id among the subscriber's ids of its kind: 512 × `Customer.track` + serial number.
  let place: Int

  private static let perSubscriber: Int64 = 4096
  private static let firstOfSandbox: Int64 = 2_000_000_000_000_000
  private static let perKindOfSandbox: Int64 = 500_000_000_000_000
  private static let perKind: Int64 = 1_000_000_000_000

  var text: String {
    let number = Int64(index) * Self.perSubscriber + Int64(place)
    let kind = Int64(kind.rawValue)
    if isSandbox { return String(Self.firstOfSandbox + kind * Self.perKindOfSandbox + number) }
    let prefixes: [Int64] = [12, 23, 30, 45, 47, 54, 70, 72]
    let prefix = prefixes[Int(SplitMix64.mixed(UInt64(index)) % 8)]
    return String((prefix * 10 + kind) * Self.perKind + number)
  }
}

extension FakeID {
  init?(_ text: String) {
    guard let number = Int64(text), number > 0 else { return nil }
    let isSandbox = number >= Self.firstOfSandbox
    let within = isSandbox ? number - Self.firstOfSandbox : number
    let size = isSandbox ? Self.perKindOfSandbox : Self.perKind
    let (kinds, rest) = within.quotientAndRemainder(dividingBy: size)
    guard let kind = Kind(rawValue: Int(isSandbox ? kinds : kinds % 10)) else { return nil }
    self.init(
      isSandbox: isSandbox, kind: kind, index: Int(rest / Self.perSubscriber),
      place: Int(rest % Self.perSubscriber))
    guard self.text == text else { return nil }
  }
}

extension Subscriber {
  /// `appTransactionId`, which is unique for each customer of an app, so that it links the customer's chains.
  public var appTransactionID: String {
    FakeID(isSandbox: isSandbox, kind: .appTransaction, index: index, place: 0).text
  }
}
