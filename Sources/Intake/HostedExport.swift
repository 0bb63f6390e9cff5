/// A product that keeps subscriptions for others, and whose exports are known by their headers.
///
/// Of such an export ids and users are taken, which tell whom to ask Apple about. What the product made of Apple's answers,
/// figures and dates among them, is no evidence, and is not read.
public enum HostedExport: String, CaseIterable, Sendable {
  case revenueCat = "RevenueCat"
  case adapty = "Adapty"
  case qonversion = "Qonversion"

  /// - Parameter names: of the columns, plain.
  init?(header names: [String]) {
    let names = Set(names)
    let found = Self.allCases.first { export in export.marks.contains { $0.isSubset(of: names) } }
    guard let found else { return nil }
    self = found
  }

  /// Columns that no other product's export has together: RevenueCat's Scheduled Data Exports, Adapty's tables of events and of
  /// paywall visits, and the fields of Qonversion's events, of which it publishes no list for files.
  private var marks: [Set<String>] {
    switch self {
    case .revenueCat: [["rcoriginalappuserid"], ["rclastseenappuseridalias"], ["originalstoretransactionid"]]
    case .adapty:
      [["profileid", "eventtype"], ["profileid", "eventdatetime"], ["profileid", "paywallshowedat"]]
    case .qonversion:
      ["customuserid", "identityid"].flatMap { [["eventname", $0], ["platform", $0], ["userid", $0]] }
    }
  }

  /// Whether a product called a customer so, RevenueCat or Qonversion, and not the app: their own ids tell themselves.
  static func made(user: String) -> Bool { user.hasPrefix("$RCAnonymousID:") || user.hasPrefix("QON_") }

  /// Whether the users of a column are the product's own.
  func made(usersIn column: String) -> Bool {
    switch self {
    case .revenueCat: false
    case .adapty: column == "profile_id"
    case .qonversion: column == "user_id"
    }
  }

  /// Columns of this export that name the user.
  var users: Set<String> {
    switch self {
    case .revenueCat: ["rc_original_app_user_id", "rc_last_seen_app_user_id_alias"]
    case .adapty: ["customer_user_id", "profile_id"]
    case .qonversion: ["identity_id", "custom_user_id", "user_id"]
    }
  }

  /// Whether its rows are events, not all of which are about a purchase.
  var hasEvents: Bool { self != .revenueCat }

  /// Why nothing can be taken of a file without a column of ids.
  var missingIDs: String {
    switch self {
    case .revenueCat:
      "it is RevenueCat's export, and has no column original_store_transaction_id or store_transaction_id; add it to the export"
    case .adapty:
      "it is Adapty's export, and has no column original_transaction_id or transaction_id, as the export of events has"
    case .qonversion:
      "it is Qonversion's export, and has no column original_transaction_id or transaction_id; export purchases or events"
    }
  }
}
