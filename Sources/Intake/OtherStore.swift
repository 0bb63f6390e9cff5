import Subscriptions

/// A store whose rows stand in an export beside Apple's: nothing here can ask it.
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

  /// Whose an id is by its beginning, where no column tells the store; nil where that tells nothing.
  init?(of id: String) {
    if id.hasPrefix("GPA.") {
      self = .googlePlay
    } else if Self.stripesObjects.contains(where: id.hasPrefix) {
      self = .stripe
    } else {
      return nil
    }
  }

  /// Subscriptions, their items, invoices, payments and checkouts: Stripe's API reference.
  private static let stripesObjects = ["sub_", "si_", "in_", "pi_", "ch_", "cs_"]

  /// Whose a row is by its platform; nil of Apple's, and of a word that may be anybody's.
  init?(platform: String) {
    guard let store = Self.words[ColumnName.plain(platform)] else { return nil }
    self = store
  }

  /// What a row's column of stores says.
  enum Column: Equatable {
    case apple
    case other(OtherStore)
  }

  /// A row that says nothing is taken for Apple's: its id tells.
  static func column(_ text: String) -> Column {
    let word = ColumnName.plain(text)
    return apple.contains(word) ? .apple : .other(words[word] ?? .unknown)
  }

  private static let apple: Set<String> = [
    "", "appstore", "macappstore", "apple", "appleappstore", "itunes", "ios", "macos",
  ]

  /// RevenueCat's names (its SDKs' type Store), Adapty's and Qonversion's.
  private static let words: [String: OtherStore] = [
    "playstore": .googlePlay, "googleplay": .googlePlay, "google": .googlePlay, "android": .googlePlay,
    "amazon": .amazon, "amazonappstore": .amazon, "stripe": .stripe, "web": .stripe, "paddle": .paddle,
    "roku": .roku, "rcbilling": .webBilling, "promotional": .promotional, "promo": .promotional,
    "teststore": .test,
  ]
}

/// How the name of a column, or a word in one, is compared: people and programs write it in many ways.
enum ColumnName {
  /// Ignores white space and characters without a shape:
  /// `Original Transaction-ID` and `transaction.original_transaction_id` are both `originaltransactionid`.
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
