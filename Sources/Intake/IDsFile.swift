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
      if isFirst, let found = IDColumns(header: line.text) {
        columns = found
        continue
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
        let names: [WireName] = [.originalTransactionID, .transactionID, .appTransactionID]
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

/// Where ids stand in a file of comma-separated values, by its header; other columns are left alone.
struct IDColumns {
  private let count: Int
  private let id: Int
  private let user: Int?
  private let bundle: Int?
  private let store: Int?

  /// What exports of others call an id, the likeliest to be there for good first: an original id stays when a transaction is left out.
  private static let ids = [
    "original_transaction_id", "original_store_transaction_id", "originaltransactionid", "transaction_id",
    "store_transaction_id", "transactionid", "apptransactionid", "app_transaction_id",
  ]
  private static let users = [
    "app_user_id", "rc_original_app_user_id", "customer_user_id", "user_id", "custom_user_id", "user",
  ]

  /// Nil where the line is no header with an id.
  init?(header line: [UInt8]) {
    guard line.count <= 1 << 16, let fields = try? CSVLine.fields(of: line) else { return nil }
    let names = fields.map { $0.lowercased() }
    func place(_ known: [String]) -> Int? { known.lazy.compactMap { names.firstIndex(of: $0) }.first }
    guard let id = place(Self.ids) else { return nil }
    self.id = id
    count = names.count
    user = place(Self.users)
    bundle = place(["bundle_id", "bundleid"])
    store = place(["store"])
  }

  /// Nil of a row of another store than Apple's.
  func content(of line: [UInt8]) -> LineContent<ImportedReceipt> {
    do throws(BadField) {
      let fields = try CSVLine.fields(of: line)
      guard fields.count == count else {
        throw BadField(reason: "it has \(fields.count) fields instead of \(count)")
      }
      if let store,
        !["", "app_store", "appstore", "apple", "mac_app_store"].contains(fields[store].lowercased())
      {
        throw BadField(reason: "it is of another store than Apple's")
      }
      return IDsFile.item(fields[id], user.map { fields[$0] }, bundle.map { fields[$0] })
    } catch {
      return .bad(error.reason)
    }
  }
}
