import Subscriptions

/// A store other than Apple's in an export. Its rows are skipped.
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

  /// Recognizes the store by the prefix of an id, if no column names it; `nil` for other prefixes.
  init?(of id: String) {
    if id.hasPrefix("GPA.") {
      self = .googlePlay
    } else if Self.stripesObjects.contains(where: id.hasPrefix) {
      self = .stripe
    } else {
      return nil
    }
  }

  /// Prefixes of subscriptions, their items, invoices, payments and checkouts in Stripe's API reference.
  private static let stripesObjects = ["sub_", "si_", "in_", "pi_", "ch_", "cs_"]

  /// Recognizes the store by the platform; `nil` for Apple's and for unknown words.
  init?(platform: String) {
    guard let store = Self.words[ColumnName.plain(platform)] else { return nil }
    self = store
  }

  enum Column: Equatable {
    case apple
    case other(OtherStore)
  }

  /// An empty field counts as Apple, since the id is checked anyway.
  static func column(_ text: String) -> Column {
    let word = ColumnName.plain(text)
    return apple.contains(word) ? .apple : .other(words[word] ?? .unknown)
  }

  private static let apple: Set<String> = [
    "", "appstore", "macappstore", "apple", "appleappstore", "itunes", "ios", "macos",
  ]

  /// Names in RevenueCat (type Store of its SDKs), Adapty and Qonversion.
  private static let words: [String: OtherStore] = [
    "playstore": .googlePlay, "googleplay": .googlePlay, "google": .googlePlay, "android": .googlePlay,
    "amazon": .amazon, "amazonappstore": .amazon, "stripe": .stripe, "web": .stripe, "paddle": .paddle,
    "roku": .roku, "rcbilling": .webBilling, "promotional": .promotional, "promo": .promotional,
    "teststore": .test,
  ]
}

/// Comparison of column names and words, which are spelled in many ways.
enum ColumnName {
  /// Returns a name without white space and invisible characters: `Original Transaction-ID` and
  /// `transaction.original_transaction_id` are both `originaltransactionid`.
  static func plain(_ text: String) -> String {
    let last = text.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
    return String(
      String.UnicodeScalarView(
        last.lowercased().unicodeScalars.filter {
          !"_-".unicodeScalars.contains($0) && !BlankValue.isUnseen($0)
        }))
  }

  /// - Throws: if a header names one of these columns twice, in any spelling.
  static func refuseTwice(_ names: [String], in header: [String]) throws(BadField) {
    let plain = header.map(plain)
    for name in names { _ = try place(of: name, in: plain) }
  }

  /// Returns the place of a column; `nil` if the header does not name it.
  ///
  /// - Parameter names: plain names of all columns.
  /// - Throws: if the header names it twice, in any spelling.
  static func place(of name: String, in names: [String]) throws(BadField) -> Int? {
    let places = names.indices.filter { names[$0] == plain(name) }
    guard places.count > 1 else { return places.first }
    let columns = places.map { String($0 + 1) }.joined(separator: " and ")
    throw BadField(
      reason:
        "the header names \(name) more than once, in columns \(columns); remove one, or give it another name")
  }
}
