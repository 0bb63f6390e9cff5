import AppStore
import Subscriptions

/// Columns of a file of ids, separated by comma, semicolon or tab. Columns with other names are ignored.
struct IDColumns {
  /// Service that made the export, if the header shows it.
  let export: HostedExport?
  private let separator: UInt8
  private let count: Int
  /// Columns of ids. If the first is empty in a row, the next is used.
  private let ids: [Column]
  private let users: [Column]
  private let bundle: Int?
  private let store: Int?
  /// Column that excludes a row only if it names another store.
  private let platform: Int?
  private let sandbox: Int?

  private struct Column {
    let place: Int
    let name: String
    var description: String { "\(name) (column \(place + 1))" }
  }

  /// Names in exports, the most permanent id first: an original id remains if a transaction is omitted.
  private static let ids = [
    "original_transaction_id", "original_store_transaction_id", "transaction_id", "store_transaction_id",
    "app_transaction_id",
  ]
  /// Columns of users. The app's own id comes before one that a service assigned.
  private static let users = [
    "app_user_id", "rc_original_app_user_id", "rc_last_seen_app_user_id_alias", "customer_user_id",
    "identity_id", "custom_user_id", "user_id", "user", "profile_id",
  ]
  /// Columns with the same id: the usual name, and an export's.
  private static let sameIDs = [
    ["original_transaction_id", "original_store_transaction_id"],
    ["transaction_id", "store_transaction_id"],
  ]
  private static let separators = [CSVLine.comma, UInt8(ascii: ";"), UInt8(ascii: "\t")]

  enum Heading {
    case columns(IDColumns)
    /// A header with columns of ids that names a column twice.
    case ambiguous(reason: String)
    /// A header without a column of ids.
    case unknown(reason: String, isOfSeveral: Bool)
    /// An id or JSON instead of a header.
    case none
  }

  static let missing =
    "the header names no column of ids, which is to be original_transaction_id, transaction_id or appTransactionId; rename one"

  static func heading(_ line: [UInt8]) -> Heading {
    guard line.first(where: { $0 > 0x20 }) != UInt8(ascii: "{") else { return .none }
    var reason = missing
    if line.count <= 1 << 16 {
      for separator in separators {
        guard let names = try? CSVLine.fields(of: line, separatedBy: separator).map(ColumnName.plain)
        else { continue }
        do throws(BadField) {
          if let found = try IDColumns(names, separator) { return .columns(found) }
        } catch {
          return .ambiguous(reason: error.reason)
        }
        if names.contains("receipt") {
          reason = "the header names receipts and no ids; `subtop import receipts` reads them"
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

  /// Returns the kind of a later line: `.none` unless it is a header of ids.
  static func later(_ line: [UInt8]) -> Heading {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    // Most lines without an id are rows of another store.
    guard line.contains("ransaction".utf8) else { return .none }
    let found = heading(line.starts(with: mark) ? Array(line.dropFirst(mark.count)) : line)
    if case .unknown = found { return .none }
    return found
  }

  /// Returns `nil` if there is no column of ids.
  ///
  /// - Parameter names: plain names of all columns.
  /// - Throws: if a column is named twice, so that its values are ambiguous.
  private init?(_ names: [String], _ separator: UInt8) throws(BadField) {
    func columns(_ known: [String]) throws(BadField) -> [Column] {
      var found: [Column] = []
      for name in known {
        guard let place = try ColumnName.place(of: name, in: names) else { continue }
        found.append(Column(place: place, name: name))
      }
      return found
    }
    guard Self.ids.contains(where: { names.contains(ColumnName.plain($0)) }) else { return nil }
    (self.separator, count) = (separator, names.count)
    export = HostedExport(header: names)
    ids = try columns(Self.ids)
    users = try columns(Self.users)
    try Self.checkNames(ids, users, export)
    bundle = try ColumnName.place(of: "bundle_id", in: names)
    store = try ColumnName.place(of: "store", in: names)
    // In other exports this is the device that the customer used.
    let tellsPlatform = store == nil && (export == nil || export == .qonversion)
    platform = tellsPlatform ? try ColumnName.place(of: "platform", in: names) : nil
    sandbox = try columns(["is_sandbox", "environment"]).first?.place
  }

  /// Refuses two columns for the same id, and two columns of users unless they belong to one export.
  private static func checkNames(
    _ ids: [Column], _ users: [Column], _ export: HostedExport?
  ) throws(BadField) {
    for same in sameIDs {
      let found = ids.filter { same.contains($0.name) }
      if found.count > 1 { throw twice(found, "hold the same") }
    }
    let exports = export.map { [$0] } ?? HostedExport.allCases
    let areOfOne = exports.contains { export in users.allSatisfy { export.users.contains($0.name) } }
    if users.count > 1, !areOfOne { throw twice(users, "both name the user") }
  }

  private static func twice(_ columns: [Column], _ what: String) -> BadField {
    let names = columns.map(\.description).joined(separator: " and ")
    return BadField(
      reason: "the header has \(names), which \(what); remove one, or give it another name")
  }

  /// Returns the content of a row, and whether it is from the sandbox. Such rows are counted and imported.
  func row(_ line: [UInt8]) -> (content: LineContent<ImportedReceipt>, isSandbox: Bool) {
    do throws(BadField) {
      let fields = try CSVLine.fields(of: line, separatedBy: separator, count: count)
      let isSandbox = sandbox.map { Self.sandboxes.contains(fields[$0].lowercased()) } ?? false
      return (content(of: fields), isSandbox)
    } catch {
      return (.bad(error.reason), false)
    }
  }

  private static let sandboxes: Set<String> = ["sandbox", "true", "t", "1"]

  private func content(of fields: [String]) -> LineContent<ImportedReceipt> {
    if let store, case .other(let other) = OtherStore.column(fields[store]) {
      return .remark(.otherStore(other))
    }
    if let platform, let other = OtherStore(platform: fields[platform]) { return .remark(.otherStore(other)) }
    let column = ids.first { !isEmpty(fields[$0.place]) }
    if let column, let other = OtherStore(of: fields[column.place]),
      other == .googlePlay || (export != nil && store == nil)
    {
      return .remark(.otherStore(other))
    }
    if column == nil, export?.hasEvents == true { return .remark(.noTransaction) }
    let user = user(in: fields)
    let content = ImportedID.content(
      column.map { fields[$0.place] } ?? "", user.map { fields[$0.place] }, bundle.map { fields[$0] },
      called: .init(
        id: (column ?? ids[0]).description, user: user?.description ?? ImportedID.Names().user))
    guard case .item(var receipt) = content, let user, let export else { return content }
    if export.made(usersIn: user.name) { receipt.isUserProvisional = true }
    return .item(receipt)
  }

  /// Returns the user's column. An id that a service assigned is used only if there is no other.
  private func user(in fields: [String]) -> Column? {
    let found = users.filter { !isEmpty(fields[$0.place]) }
    return found.first { !HostedExport.made(user: fields[$0.place]) } ?? found.first
  }

  /// Whether a field is empty. Databases export missing values as words.
  private func isEmpty(_ field: String) -> Bool {
    field.isEmpty || (export != nil && ["null", "NULL", "\\N"].contains(field))
  }
}

/// Check of an id for requests to the Server API.
enum ImportedID {
  /// Names of the id and the user in messages: those of their columns or keys, or these for a bare id.
  struct Names {
    var id = "the id"
    var user = "app_user_id"
  }

  static func content(
    _ id: String, _ user: String?, _ bundle: String?, called names: Names = Names()
  ) -> LineContent<ImportedReceipt> {
    for (name, text, limit) in [
      (names.id, id, FieldLimits.id), (names.user, user ?? "", FieldLimits.appUserID),
      ("bundle_id", bundle ?? "", FieldLimits.name),
    ] {
      if let breach = FieldLimits.breach(byBytes: text.utf8.count, over: limit) {
        return .bad("\(name) \(breach)")
      }
      // SQLite would end the text at the NUL.
      if text.utf8.contains(0) { return .bad("\(name) holds a NUL") }
    }
    let customer = CustomerID(id)
    guard customer.isCredible else { return .bad("\(names.id) \(fault(of: id))") }
    return .receipt(.customer(customer), of: user, called: names.user, in: bundle)
  }

  private static func fault(of id: String) -> String {
    id.isEmpty ? "is missing" : AppleIDRule.fault(of: id) ?? AppleIDRule.foreign
  }
}
