import Subscriptions

/// One customer with a receipt. Everything about it follows from the seed, the number and the founding instant.
public struct Subscriber: Sendable {
  public enum Kind: String, Sendable, CaseIterable {
    case paying
    /// A tester: a sandbox receipt with shrunk periods.
    case tester
    /// Holds what another member of the family pays for.
    case familyMember
    /// Has only one-time purchases yet, and subscribes later.
    case shopper
    /// Bought with iOS 6: an old style receipt with one transaction, answered with 21006 after its expiry.
    case legacy
  }

  public let index: Int
  public let seed: UInt64
  public let founded: Instant
  /// The app that the receipt is of.
  public let bundleID: BundleID
  public let kind: Kind
  /// From here on Apple answers 21010: the account was deleted.
  public let accountGoneFrom: Instant?
  let appAccountToken: String?
  /// When the subscriber, if ever, began to subscribe.
  let starts: Instant
  let isNewcomer: Bool
  let hasSecondGroup: Bool
  let oneTimePurchases: Int
  /// How far the receipt on the device, and so `in_app`, lies behind.
  let lag: Int64
  /// How `latest_receipt_info` is sorted: 0 to 99, nearly always newest first.
  let sorting: Int64

  init(index: Int, seed: UInt64, founded: Instant, bundleID: BundleID) {
    (self.index, self.seed, self.founded, self.bundleID) = (index, seed, founded, bundleID)
    var random = SplitMix64(seed: seed, index: index, stream: 1)
    kind = random.pick(Kind.allCases, weight: \.share) ?? .paying
    let isNewcomer = kind == .paying && random.chance(0.1)
    let age = Self.age(of: kind, isNewcomer: isNewcomer, &random)
    starts = (founded - age).wholeSecond
    self.isNewcomer = isNewcomer
    appAccountToken = random.chance(0.3) ? random.uuid() : nil
    hasSecondGroup = kind == .paying && random.chance(0.06)
    oneTimePurchases = kind == .shopper ? 1 + Int(random.between(0, 3)) : random.chance(0.15) ? 1 : 0
    lag = random.between(0, 20 * Milliseconds.day)
    sorting = random.between(0, 99)
    let goneFrom = founded + random.between(-20 * Milliseconds.day, 40 * Milliseconds.day)
    accountGoneFrom = kind == .paying && random.chance(0.003) ? goneFrom : nil
  }

  /// Milliseconds from the first subscription to the founding; negative for those who come later.
  private static func age(of kind: Kind, isNewcomer: Bool, _ random: inout SplitMix64) -> Int64 {
    switch kind {
    case .shopper: return -random.between(Milliseconds.hour, 90 * Milliseconds.day)
    case .tester: return random.between(Milliseconds.hour, 60 * Milliseconds.day)
    case .legacy: return random.between(20 * Milliseconds.day, 900 * Milliseconds.day)
    case .paying where isNewcomer: return random.between(Milliseconds.minute, 10 * Milliseconds.day)
    case .paying, .familyMember:
      let share = random.unit()
      return 10 * Milliseconds.day + Int64(share * share.squareRoot() * Double(1085 * Milliseconds.day))
    }
  }

  public var environment: StoreEnvironment { kind == .tester ? .sandbox : .production }

  /// What the app calls this user; a few receipts came from people who were not signed in.
  public var appUserID: AppUserID? {
    SplitMix64.mixed(seed &+ UInt64(index)) % 50 == 0 ? nil : AppUserID("user-\(padded(index, to: 6))")
  }
}

extension Subscriber.Kind {
  /// Of a thousand.
  fileprivate var share: Int {
    switch self {
    case .paying: 893
    case .tester: 30
    case .familyMember: 32
    case .shopper: 42
    case .legacy: 3
    }
  }
}

func padded(_ number: Int, to width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
