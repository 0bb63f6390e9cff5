import AppStore
import Subscriptions

/// Ids by which customers can be asked about: CSV whose header names one, JSON Lines, or one bare id a line.
public enum IDsFile: LineFormat {
  public static let name = "ids"
  public static let what = "ids of customers"

  public static func readText<Failure: Error>(
    _ lines: inout LineStream<Failure>,
    _ take: (LinePlace, LineContent<ImportedReceipt>) throws(Failure) -> Void
  ) throws(Failure) {
    var columns: IDColumns?
    var isFirst = true
    while let line = try lines.next() {
      defer { isFirst = false }
      guard !line.isTooLong else {
        try take(line.place, .bad(line.reasonOfLength))
        continue
      }
      if isFirst {
        switch IDColumns.heading(line.text) {
        case .columns(let found):
          columns = found
          continue
        case .unknown(let isOfSeveral):
          try take(line.place, .bad(IDColumns.missing))
          // Nobody can tell which of its fields the ids are.
          guard isOfSeveral else { continue }
          return
        case .none: break
        }
      }
      try take(line.place, columns?.content(of: line.text) ?? content(of: line.text))
    }
    if isFirst { try take(.first, empty) }
  }

  private static func content(of line: [UInt8]) -> LineContent<ImportedReceipt> {
    let text = line.drop { $0 <= 0x20 }
    guard text.first == UInt8(ascii: "{") else {
      return item(String(decoding: text.reversed().drop { $0 <= 0x20 }.reversed(), as: UTF8.self), nil, nil)
    }
    do throws(Misread) {
      let (ids, user, bundle) = try StrictJSON.read(line) { (values) throws(Misread) in
        let names: [WireName] = [
          .originalTransactionID, .plainOriginalTransactionID, .transactionID, .plainTransactionID,
          .appTransactionID,
        ]
        var ids: [String] = []
        for name in names { if let id = try values.text(name) { ids.append(id) } }
        return (ids, try values.string(.appUserID), try values.string(.bundleID))
      }
      guard let id = ids.first(where: { !$0.isEmpty }) else {
        return .bad("it has no transaction_id, original_transaction_id or appTransactionId")
      }
      return item(id, user, bundle)
    } catch {
      return .bad(error.reason(whole: "the line"))
    }
  }

  /// - Parameters:
  ///   - user: empty is none.
  ///   - bundle: the same.
  static func item(_ id: String, _ user: String?, _ bundle: String?) -> LineContent<ImportedReceipt> {
    for (name, text, limit) in [
      ("the id", id, FieldLimits.id), ("the user", user ?? "", FieldLimits.appUserID),
      ("bundle_id", bundle ?? "", FieldLimits.name),
    ] {
      if let breach = FieldLimits.breach(byBytes: text.utf8.count, over: limit) {
        return .bad("\(name) \(breach)")
      }
      // The store would end the text there.
      if text.utf8.contains(0) { return .bad("\(name) holds a NUL") }
    }
    let customer = CustomerID(id)
    guard customer.isCredible else {
      return .bad(
        id.isEmpty
          ? "the id is missing" : "the id is none of the App Store's, which are digits and not 0 alone")
    }
    return .item(ImportedReceipt(.customer(customer), of: user, in: bundle))
  }
}

/// Where ids stand in a file of values with commas, semicolons or tabs between them, by its header; other columns are left alone.
struct IDColumns {
  private let separator: UInt8
  private let count: Int
  /// The likeliest first: where one is empty in a row, the next tells.
  private let ids: [Int]
  private let user: Int?
  private let bundle: Int?
  private let store: Int?

  /// What exports of others call an id, the likeliest to be there for good first: an original id stays when a transaction is left out.
  private static let ids = [
    "originaltransactionid", "originalstoretransactionid", "transactionid", "storetransactionid",
    "apptransactionid",
  ]
  private static let users = [
    "appuserid", "rcoriginalappuserid", "customeruserid", "userid", "customuserid", "user",
  ]
  private static let separators = [CSVLine.comma, UInt8(ascii: ";"), UInt8(ascii: "\t")]

  /// What the first line of a file is.
  enum Heading {
    case columns(IDColumns)
    /// It names columns, and none of ids.
    case unknown(isOfSeveral: Bool)
    /// It is an id or JSON already.
    case none
  }

  static let missing =
    "the header names no column of ids, which is to be original_transaction_id, transaction_id or appTransactionId; rename one"

  static func heading(_ line: [UInt8]) -> Heading {
    guard line.first(where: { $0 > 0x20 }) != UInt8(ascii: "{") else { return .none }
    if line.count <= 1 << 16 {
      for separator in separators {
        if let found = IDColumns(header: line, separator) { return .columns(found) }
      }
    }
    if line.contains(where: separators.prefix(2).contains)
      || line.drop(while: isBlank).reversed().drop(while: isBlank).contains(UInt8(ascii: "\t"))
    {
      return .unknown(isOfSeveral: true)
    }
    let isWord = !line.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return isWord ? .unknown(isOfSeveral: false) : .none
  }

  /// Nil where the line is no header with an id.
  private init?(header line: [UInt8], _ separator: UInt8) {
    guard let fields = try? CSVLine.fields(of: line, separatedBy: separator) else { return nil }
    let names = fields.map { $0.lowercased().filter { !"_ -".contains($0) } }
    func places(_ known: [String]) -> [Int] { known.compactMap { names.firstIndex(of: $0) } }
    ids = places(Self.ids)
    guard !ids.isEmpty else { return nil }
    (self.separator, count) = (separator, names.count)
    user = places(Self.users).first
    bundle = places(["bundleid"]).first
    store = places(["store"]).first
  }

  /// Nil of a row of another store than Apple's.
  func content(of line: [UInt8]) -> LineContent<ImportedReceipt> {
    do throws(BadField) {
      let fields = try CSVLine.fields(of: line, separatedBy: separator)
      guard fields.count == count else {
        throw BadField(reason: "it has \(fields.count) fields instead of \(count)")
      }
      if let store,
        !["", "app_store", "appstore", "apple", "mac_app_store"].contains(fields[store].lowercased())
      {
        throw BadField(reason: "it is of another store than Apple's")
      }
      let id = ids.lazy.map { fields[$0] }.first { !$0.isEmpty } ?? ""
      return IDsFile.item(id, user.map { fields[$0] }, bundle.map { fields[$0] })
    } catch {
      return .bad(error.reason)
    }
  }
}
