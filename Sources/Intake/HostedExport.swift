/// A subscription service whose exports are recognized by their headers.
///
/// An export provides ids and users, to ask Apple about them. Figures and dates that the service derived from
/// Apple's answers are not evidence and are not read.
public enum HostedExport: String, CaseIterable, Sendable {
  case revenueCat = "RevenueCat"
  case adapty = "Adapty"
  case qonversion = "Qonversion"

  /// - Parameter names: plain names of the columns.
  init?(header names: [String]) {
    let names = Set(names)
    let found = Self.allCases.first { export in export.marks.contains { $0.isSubset(of: names) } }
    guard let found else { return nil }
    self = found
  }

  /// Columns that identify an export: RevenueCat's Scheduled Data Exports, Adapty's tables of events and
  /// paywall visits, and fields of Qonversion's events, whose file format is not documented.
  private var marks: [Set<String>] {
    switch self {
    case .revenueCat: [["rcoriginalappuserid"], ["rclastseenappuseridalias"], ["originalstoretransactionid"]]
    case .adapty:
      [["profileid", "eventtype"], ["profileid", "eventdatetime"], ["profileid", "paywallshowedat"]]
    case .qonversion:
      ["customuserid", "identityid"].flatMap { [["eventname", $0], ["platform", $0], ["userid", $0]] }
    }
  }

  /// Whether RevenueCat or Qonversion assigned this user id instead of the app. Its prefix shows that.
  static func made(user: String) -> Bool { user.hasPrefix("$RCAnonymousID:") || user.hasPrefix("QON_") }

  /// Whether the service assigned the user ids of a column.
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

  /// Whether the rows are events, which may lack a purchase.
  var hasEvents: Bool { self != .revenueCat }

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
