import AppStore
import Subscriptions

/// Columns of a file with ids or receipts, found by the names in its header; unknown names are ignored.
///
/// The separator is a comma or, in files with ids, also a semicolon or a tab.
struct IDColumns {
  let export: HostedExport?
  private let separator: UInt8
  private let count: Int
  /// Columns of ids, or the column of receipts; each row uses the first of these that has a value.
  private let ids: [Column]
  private let isOfReceipts: Bool
  private let users: [Column]
  private let bundle: Int?
  private let store: Int?
  /// Platform column, which excludes a row only if it names a platform of another store.
  private let platform: Int?
  private let sandbox: Int?

  private struct Column {
    let place: Int
    let name: String
    let description: String
  }

  /// Names of id columns, the preferred one first: an original id outlives the ids of single transactions.
  private static let ids = [
    "original_transaction_id", "original_store_transaction_id", "transaction_id", "store_transaction_id",
    "app_transaction_id",
  ]
  /// Names of user columns, the preferred one first: the app's own id precedes one that a service assigned.
  private static let users = [
    "app_user_id", "rc_original_app_user_id", "rc_last_seen_app_user_id_alias", "customer_user_id",
    "identity_id", "custom_user_id", "user_id", "user", "profile_id",
  ]
  /// Pairs of column names for the same id: the usual name, and the name in an export.
  private static let sameIDs = [
    ["original_transaction_id", "original_store_transaction_id"], ["transaction_id", "store_transaction_id"],
  ]
  private static let longestHeader = 1 << 16
  private static let separators = [CSVLine.comma, UInt8(ascii: ";"), UInt8(ascii: "\t")]

  enum Heading {
    case ids(Result<IDColumns, UnreadableAnswer>)
    /// Header without a column of ids; `isOfSeveral` if it has more than one column.
    case unknown(reason: String, isOfSeveral: Bool)
    /// Data instead of a header: an id or JSON.
    case none
  }

  static let missing =
    "the header has no column of ids; rename one to original_transaction_id, transaction_id or appTransactionId"

  static func heading(_ line: [UInt8]) -> Heading {
    guard line.first(where: { $0 > 0x20 }) != UInt8(ascii: "{") else { return .none }
    var reason = missing
    if line.count <= longestHeader {
      for separator in separators {
        guard let names = try? CSVLine.fields(of: line, separatedBy: separator).map(ColumnName.plain)
        else { continue }
        if Self.ids.contains(where: { names.contains(ColumnName.plain($0)) }) {
          return .ids(
            Result { () throws(UnreadableAnswer) in try IDColumns(names, separator, ids: Self.ids) })
        }
        if names.contains("receipt") {
          reason = "the header has receipts, not ids; use `subtop import receipts`"
        } else if let export = HostedExport(header: names) {
          reason = export.missingIDs
        }
      }
    }
    if line.contains(where: separators.prefix(2).contains)
      || line.drop(while: isBlank).reversed().drop(while: isBlank).contains(UInt8(ascii: "\t"))
    {
      return .unknown(reason: reason, isOfSeveral: true)
    }
    let isWord = !line.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return isWord ? .unknown(reason: reason, isOfSeveral: false) : .none
  }

  /// Returns the heading if a line after the first is another header with columns of ids, else `.none`.
  static func later(_ line: [UInt8]) -> Heading {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    // Excludes most lines without parsing them, for example rows of other stores.
    guard line.contains("ransaction".utf8) else { return .none }
    let found = heading(line.starts(with: mark) ? Array(line.dropFirst(mark.count)) : line)
    if case .unknown = found { return .none }
    return found
  }

  /// Returns the columns if the line is the header of a file with receipts, otherwise `nil`; throws an error
  /// if the header has ids instead, or a name twice.
  static func ofReceipts(_ line: [UInt8]) throws(UnreadableAnswer) -> IDColumns? {
    // A header is short, so long lines of JSON or base64 are not parsed here.
    guard line.count <= longestHeader / 16 else { return nil }
    if let names = try? CSVLine.fields(of: line).map(ColumnName.plain), names.contains("receipt") {
      return try IDColumns(names, CSVLine.comma, ids: ["receipt"])
    }
    guard case .ids = heading(line) else { return nil }
    throw UnreadableAnswer(reason: "the header has ids, not receipts; use `subtop import ids`")
  }

  /// - Parameter known: Names of the columns to use as ids; at least one must exist.
  private init(_ names: [String], _ separator: UInt8, ids known: [String]) throws(UnreadableAnswer) {
    let isOfReceipts = known == ["receipt"]
    func columns(_ known: [String]) throws(UnreadableAnswer) -> [Column] {
      var found: [Column] = []
      for name in known {
        guard let place = try ColumnName.place(of: name, in: names) else { continue }
        let description = isOfReceipts ? name : "\(name) (column \(place + 1))"
        found.append(Column(place: place, name: name, description: description))
      }
      return found
    }
    (self.separator, self.isOfReceipts, count) = (separator, isOfReceipts, names.count)
    export = isOfReceipts ? nil : HostedExport(header: names)
    ids = try columns(known)
    users = try columns(isOfReceipts ? ["app_user_id"] : Self.users)
    try Self.checkNames(ids, users, export)
    bundle = try ColumnName.place(of: "bundle_id", in: names)
    store = try ColumnName.place(of: "store", in: names)
    // In other exports, `platform` is the device that the customer used.
    let hasPlatform = store == nil && !isOfReceipts && (export == nil || export == .qonversion)
    platform = hasPlatform ? try ColumnName.place(of: "platform", in: names) : nil
    sandbox = isOfReceipts ? nil : try columns(["is_sandbox", "environment"]).first?.place
  }

  /// Throws an error if two columns contain the same id, or if several user columns are not of one service.
  private static func checkNames(
    _ ids: [Column], _ users: [Column], _ export: HostedExport?
  ) throws(UnreadableAnswer) {
    for same in sameIDs {
      let found = ids.filter { same.contains($0.name) }
      if found.count > 1 { throw twice(found, "contain the same id") }
    }
    let exports = export.map { [$0] } ?? HostedExport.allCases
    let areOfOne = exports.contains { export in users.allSatisfy { export.users.contains($0.name) } }
    if users.count > 1, !areOfOne { throw twice(users, "both name the user") }
  }

  private static func twice(_ columns: [Column], _ what: String) -> UnreadableAnswer {
    let names = columns.map(\.description).joined(separator: " and ")
    return UnreadableAnswer(reason: "the header has \(names), which \(what); remove or rename one")
  }

  /// Returns the content of a row, and whether it is from the sandbox; sandbox rows are imported, too.
  func row(_ line: [UInt8]) -> (content: LineContent<ImportedReceipt>, isSandbox: Bool) {
    do throws(UnreadableAnswer) {
      let fields = try CSVLine.fields(of: line, separatedBy: separator, count: count)
      let isSandbox = sandbox.map { Self.sandboxes.contains(fields[$0].lowercased()) } ?? false
      return (content(of: fields), isSandbox)
    } catch {
      return (.bad(error.reason), false)
    }
  }

  private static let sandboxes: Set<String> = ["sandbox", "true", "t", "1"]

  private func content(of fields: [String]) -> LineContent<ImportedReceipt> {
    if let store, let other = OtherStore(column: fields[store]) { return .remark(.otherStore(other)) }
    if let platform, let other = OtherStore(platform: fields[platform]) { return .remark(.otherStore(other)) }
    let column = ids.first { !isEmpty(fields[$0.place]) }
    if !isOfReceipts, let column, let other = OtherStore(of: fields[column.place]),
      other == .googlePlay || (export != nil && store == nil)
    {
      return .remark(.otherStore(other))
    }
    if column == nil, export?.hasEvents == true { return .remark(.noTransaction) }
    let user = user(in: fields)
    let content = LineContent<ImportedReceipt>.customer(
      ((column ?? ids[0]).description, column.map { fields[$0.place] }),
      of: user.map { ($0.description, fields[$0.place]) }, in: bundle.map { fields[$0] },
      isReceipt: isOfReceipts)
    guard case .item(var receipt) = content, let user, let export else { return content }
    if export.made(usersIn: user.name) { receipt.isUserProvisional = true }
    return .item(receipt)
  }

  /// Returns the column of the row's user; an id that a service assigned is used only if there is no other.
  private func user(in fields: [String]) -> Column? {
    let found = users.filter { !isEmpty(fields[$0.place]) }
    return found.first { !HostedExport.made(user: fields[$0.place]) } ?? found.first
  }

  /// Whether a field is empty or, in a service's export, contains a database's word for a missing value.
  private func isEmpty(_ field: String) -> Bool {
    field.isEmpty || (export != nil && ["null", "NULL", "\\N"].contains(field))
  }
}

extension LineContent<ImportedReceipt> {
  /// Returns an item for an id or receipt with its user and app, or a fault; empty texts count as missing.
  static func customer(
    _ id: (name: String, text: String?), of user: (name: String, text: String?)?, in bundle: String?,
    isReceipt: Bool
  ) -> Self {
    for case (let name, let text?, let limit) in [
      (id.name, id.text, isReceipt ? FieldLimits.receipt : FieldLimits.id),
      (user?.name ?? "", user?.text, FieldLimits.appUserID), ("bundle_id", bundle, FieldLimits.name),
    ] {
      if let breach = FieldLimits.breach(byBytes: text.utf8.count, over: limit) {
        return .bad("\(name) \(breach)")
      }
      if text.utf8.contains(0) { return .bad("\(name) contains a NUL byte") }
      if BlankValue.isBlank(text) { return .bad("\(name) is blank") }
    }
    if let unseen = bundle.flatMap(BlankValue.unseen) { return .bad("bundle_id \(unseen)") }
    guard let text = id.text, !text.isEmpty else { return .bad("\(id.name) is missing") }
    let customer = CustomerID(text)
    guard
      let handle = isReceipt ? ImportedReceipt.Handle(text) : customer.isCredible ? .customer(customer) : nil
    else {
      let fault = isReceipt ? "is not base64" : AppleIDRule.fault(of: text) ?? AppleIDRule.foreign
      return .bad("\(id.name) \(fault)")
    }
    let user = (user?.text).flatMap { $0.isEmpty ? nil : $0 }
    var receipt = ImportedReceipt(
      handle, appUserID: user.map(AppUserID.init),
      bundleID: bundle.flatMap { $0.isEmpty ? nil : BundleID($0) })
    receipt.isUserProvisional = user.map(HostedExport.made) ?? false
    return .item(receipt)
  }
}
