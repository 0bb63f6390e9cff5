import Subscriptions

/// Customer with a receipt, derived from the seed, the index and the founding instant.
public struct Subscriber: Sendable {
  public enum Kind: String, Sendable, CaseIterable {
    case paying
    /// Tester with a sandbox receipt and shortened periods.
    case tester
    case familyMember
    /// Customer with one-time purchases who subscribes later.
    case shopper
    /// Customer with an iOS 6 style receipt: one transaction, and status 21006 after its expiry.
    case legacy
  }

  private static let kinds: [(kind: Kind, perMille: Int)] = [
    (.paying, 893), (.tester, 30), (.familyMember, 32), (.shopper, 42), (.legacy, 3),
  ]

  public let index: Int
  public let seed: UInt64
  public let founded: Instant
  public let bundleID: BundleID
  public let kind: Kind
  /// Instant from which Apple answers 21010 (account deleted).
  public let accountGoneFrom: Instant?
  let appAccountToken: String?
  let starts: Instant
  let isNewcomer: Bool
  let hasSecondGroup: Bool
  let oneTimePurchases: Int
  /// Minimum age of the device's receipt, and therefore of `in_app`, in milliseconds.
  let lag: Int64
  /// Order of `latest_receipt_info`, from 0 to 99: oldest first below 10, newest first otherwise.
  let sorting: Int64
  let stories: Stories?
  public let isScripted: Bool
  let tookCode: Bool

  init(index: Int, seed: UInt64, founded: Instant, bundleID: BundleID, arrivals: Arrivals? = nil) {
    (self.index, self.seed, self.founded, self.bundleID) = (index, seed, founded, bundleID)
    stories = arrivals.map { Stories(founded: $0.founded) }
    isScripted = stories != nil && index == 0
    var random = SplitMix64(seed: seed, index: index, stream: 1)
    let drawn = random.pick(Self.kinds) { $0.perMille }?.kind ?? .paying
    if let stories, let arrivals {
      let comes = arrivals.start(of: index, &random)
      kind = isScripted || comes != nil ? .paying : drawn
      isNewcomer = false
      tookCode = kind == .paying && comes == nil && !isScripted && random.chance(Stories.campaignShare)
      starts =
        isScripted
        ? stories.scriptedStart : comes ?? Self.start(of: kind, tookCode, stories, &random).wholeSecond
    } else {
      kind = drawn
      isNewcomer = kind == .paying && random.chance(0.1)
      tookCode = false
      starts = (founded - Self.age(of: kind, isNewcomer: isNewcomer, &random)).wholeSecond
    }
    appAccountToken = random.chance(0.3) ? random.uuid() : nil
    hasSecondGroup = kind == .paying && !isScripted && random.chance(0.06)
    let buysOnce = isScripted ? 0 : stories == nil ? 0.15 : 0.05
    oneTimePurchases = kind == .shopper ? 1 + Int(random.between(0, 3)) : random.chance(buysOnce) ? 1 : 0
    lag = random.between(0, 20 * Milliseconds.day)
    sorting = random.between(0, 99)
    let goneFrom = founded + random.between(-20 * Milliseconds.day, 40 * Milliseconds.day)
    accountGoneFrom = kind == .paying && !isScripted && random.chance(0.003) ? goneFrom : nil
  }

  private static func start(
    of kind: Kind, _ tookCode: Bool, _ stories: Stories, _ random: inout SplitMix64
  ) -> Instant {
    if tookCode {
      let length = stories.campaign.upperBound - stories.campaign.lowerBound
      return stories.campaign.lowerBound + random.between(0, length - 1)
    }
    switch kind {
    case .paying, .familyMember: return stories.founded - Seasons.age(stories.founded, &random)
    case .shopper: return stories.founded + random.between(Milliseconds.hour, 1000 * Milliseconds.day)
    case .tester, .legacy: return stories.founded - age(of: kind, isNewcomer: false, &random)
    }
  }

  /// Draws the milliseconds from first subscription to founding; negative if the subscription is later.
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

  public var environment: StoreEnvironment { isSandbox ? .sandbox : .production }
  var isSandbox: Bool { kind == .tester }
  var isFamilyMember: Bool { kind == .familyMember }

  /// App user id; `nil` for the 2 % of users who were not signed in.
  public var appUserID: AppUserID? {
    // The first nine thousand ids have four digits. The scripted customer, index 0, is user-4821.
    guard stories == nil else {
      let number = index < 9000 ? 1000 + (index + 3821) % 9000 : index + 1000
      return index % 50 == 49 ? nil : AppUserID("user-\(number)")
    }
    let digits = index < 1_000_000 ? String(String(1_000_000 + index).dropFirst()) : String(index)
    return SplitMix64.mixed(seed &+ UInt64(index)) % 50 == 0 ? nil : AppUserID("user-\(digits)")
  }
}
