import AppStore
import Subscriptions

/// Subscription service whose exports are recognized by their headers.
///
/// Dates, prices and states are not read from an export, because they are not evidence from Apple.
public enum HostedExport: String, CaseIterable, Sendable {
  case revenueCat = "RevenueCat"
  case adapty = "Adapty"
  case qonversion = "Qonversion"

  /// Recognizes the service by column names in `ColumnName.plain` form; `nil` for other headers.
  init?(header names: [String]) {
    let names = Set(names)
    let found = Self.allCases.first { export in export.marks.contains { $0.isSubset(of: names) } }
    guard let found else { return nil }
    self = found
  }

  /// Sets of column names; a file that has all names of one set is such an export.
  ///
  /// Qonversion's file format is not documented, so its names are those of its event fields.
  private var marks: [Set<String>] {
    switch self {
    case .revenueCat: [["rcoriginalappuserid"], ["rclastseenappuseridalias"], ["originalstoretransactionid"]]
    case .adapty:
      [["profileid", "eventtype"], ["profileid", "eventdatetime"], ["profileid", "paywallshowedat"]]
    case .qonversion:
      ["customuserid", "identityid"].flatMap { [["eventname", $0], ["platform", $0], ["userid", $0]] }
    }
  }

  /// Whether a user id was assigned by RevenueCat or Qonversion, not by the app, according to its prefix.
  static func made(user: String) -> Bool { user.hasPrefix("$RCAnonymousID:") || user.hasPrefix("QON_") }

  /// Whether the service, not the app, assigned all user ids in a column.
  func made(usersIn column: String) -> Bool {
    switch self {
    case .revenueCat: false
    case .adapty: column == "profile_id"
    case .qonversion: column == "user_id"
    }
  }

  var users: Set<String> {
    switch self {
    case .revenueCat: ["rc_original_app_user_id", "rc_last_seen_app_user_id_alias"]
    case .adapty: ["customer_user_id", "profile_id"]
    case .qonversion: ["identity_id", "custom_user_id", "user_id"]
    }
  }

  /// Whether rows may be events without a purchase.
  var hasEvents: Bool { self != .revenueCat }

  var missingIDs: String {
    switch self {
    case .revenueCat:
      "it is a RevenueCat export without original_store_transaction_id or store_transaction_id; add one of them to the export"
    case .adapty:
      "it is an Adapty export without original_transaction_id or transaction_id; export events instead"
    case .qonversion:
      "it is a Qonversion export without original_transaction_id or transaction_id; export purchases or events instead"
    }
  }
}

/// Store other than Apple's that a row of an import file names; such rows are skipped.
public enum OtherStore: String, CaseIterable, Sendable {
  case googlePlay = "Google Play"
  case amazon = "Amazon"
  case stripe = "Stripe"
  case paddle = "Paddle"
  case roku = "Roku"
  case webBilling = "RevenueCat Web Billing"
  case promotional = "promotional grants"
  case test = "a test store"
  case unknown = "another store"

  /// Recognizes Stripe or Google Play by the prefix of an id; `nil` for any other id.
  init?(of id: String) {
    // Stripe's prefixes for subscriptions, their items, invoices, payments and checkouts.
    let isOfStripe = ["sub_", "si_", "in_", "pi_", "ch_", "cs_"].contains(where: id.hasPrefix)
    guard isOfStripe || id.hasPrefix("GPA.") else { return nil }
    self = isOfStripe ? .stripe : .googlePlay
  }

  /// Recognizes the store by the platform; `nil` for Apple's platforms and for unknown names.
  init?(platform: String) {
    guard let store = Self.words[ColumnName.plain(platform)] else { return nil }
    self = store
  }

  /// Recognizes the store by the text in a store column; `nil` if it names Apple's store or is empty.
  init?(column text: String) {
    let word = ColumnName.plain(text)
    guard !Self.apple.contains(word) else { return nil }
    self = Self.words[word] ?? .unknown
  }

  private static let apple: Set<String> = [
    "", "appstore", "macappstore", "apple", "appleappstore", "itunes", "ios", "macos",
  ]

  /// Store names used by RevenueCat (type Store of its SDKs), Adapty and Qonversion.
  private static let words: [String: OtherStore] = [
    "playstore": .googlePlay, "googleplay": .googlePlay, "google": .googlePlay, "android": .googlePlay,
    "amazon": .amazon, "amazonappstore": .amazon, "stripe": .stripe, "web": .stripe, "paddle": .paddle,
    "roku": .roku, "rcbilling": .webBilling, "promotional": .promotional, "promo": .promotional,
    "teststore": .test,
  ]
}

/// Normalization of column names and store names, which exports spell differently.
enum ColumnName {
  /// Returns the last part of a dotted name in lower case, without separators: `Original Transaction-ID` and
  /// `transaction.original_transaction_id` both become `originaltransactionid`.
  static func plain(_ text: String) -> String {
    let last = text.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
    return String(
      String.UnicodeScalarView(
        last.lowercased().unicodeScalars.filter {
          !"_-".unicodeScalars.contains($0) && !BlankValue.isUnseen($0)
        }))
  }

  /// Throws an error if a header contains one of these names twice, in any spelling.
  static func refuseTwice(_ names: [String], in header: [String]) throws(UnreadableAnswer) {
    let plain = header.map(plain)
    for name in names { _ = try place(of: name, in: plain) }
  }

  /// Returns the index of a column among names in `plain` form; `nil` if absent; throws if it occurs twice.
  static func place(of name: String, in names: [String]) throws(UnreadableAnswer) -> Int? {
    let places = names.indices.filter { names[$0] == plain(name) }
    guard places.count > 1 else { return places.first }
    let columns = places.map { String($0 + 1) }.joined(separator: " and ")
    throw UnreadableAnswer(
      reason:
        "the header names \(name) more than once, in columns \(columns); remove or rename one")
  }
}
