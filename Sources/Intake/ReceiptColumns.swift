import AppStore
import Subscriptions

/// Columns of a CSV file of receipts, found by its header. Other columns are ignored.
struct ReceiptColumns {
  private let count: Int
  private let receipt: Int
  private let user: Int?
  private let bundle: Int?
  private let store: Int?

  /// Returns `nil` if the line is not a header of receipts.
  ///
  /// - Throws: if it names a column twice.
  init?(header line: [UInt8]) throws(BadField) {
    // A header is short. Lines of JSON or base64 are not parsed twice.
    guard line.count <= Self.longestHeader,
      let names = try? CSVLine.fields(of: line).map(ColumnName.plain),
      let receipt = try ColumnName.place(of: "receipt", in: names)
    else { return nil }
    self.receipt = receipt
    count = names.count
    user = try ColumnName.place(of: "app_user_id", in: names)
    bundle = try ColumnName.place(of: "bundle_id", in: names)
    store = try ColumnName.place(of: "store", in: names)
  }

  /// Whether the line is a header of ids, which have their own import.
  static func isOfIDs(_ line: [UInt8]) -> Bool {
    guard line.count <= longestHeader else { return false }
    return switch IDColumns.heading(line) {
    case .columns, .ambiguous: true
    case .unknown, .none: false
    }
  }

  static let ofIDs = "the header names ids and no receipts; `subtop import ids` reads them"
  private static let longestHeader = 4096

  func readRows<Failure: Error>(
    _ lines: inout LineStream<Failure>,
    _ take: (LinePlace, LineContent<ImportedReceipt>) throws(Failure) -> Void
  ) throws(Failure) {
    while let line = try lines.next() {
      try take(line.place, line.isTooLong ? .bad(line.reasonOfLength) : content(of: line.text))
    }
  }

  private func content(of line: [UInt8]) -> LineContent<ImportedReceipt> {
    do throws(BadField) {
      let fields = try CSVLine.fields(of: line, count: count)
      if let store, case .other(let other) = OtherStore.column(fields[store]) {
        return .remark(.otherStore(other))
      }
      let user = try user.map { index throws(BadField) in
        try checked(fields[index], "app_user_id", FieldLimits.appUserID)
      }
      let bundle = try bundle.map { index throws(BadField) in
        try checked(fields[index], "bundle_id", FieldLimits.name)
      }
      let encoded = try checked(fields[receipt], "receipt", FieldLimits.receipt)
      guard !encoded.isEmpty else { throw BadField(reason: "receipt is missing") }
      guard let handle = ImportedReceipt.Handle(encoded) else {
        throw BadField(reason: "receipt is not base64")
      }
      return .receipt(handle, of: user, in: bundle)
    } catch {
      return .bad(error.reason)
    }
  }

  private func checked(_ field: String, _ name: String, _ limit: Int) throws(BadField) -> String {
    guard let breach = FieldLimits.breach(byBytes: field.utf8.count, over: limit) else { return field }
    throw BadField(reason: "\(name) \(breach)")
  }
}
