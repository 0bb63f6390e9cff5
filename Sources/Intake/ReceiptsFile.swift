import AppStore
import Subscriptions

/// Receipts: JSON Lines of `{"receipt-data": …, "app_user_id": …, "bundle_id": …}`, CSV with a header, or one
/// bare base64 receipt.
public enum ReceiptsFile: LineFormat {
  public static let name = "receipts"

  public static func readText<Failure: Error>(
    _ lines: inout LineStream<Failure>,
    _ take: (Int, LineContent<ImportedReceipt>) throws(Failure) -> Void
  ) throws(Failure) {
    var before: [LineStream<Failure>.Line] = []
    var size = 0
    while let line = try lines.next() {
      if before.isEmpty {
        if let problem = CSVLine.problem(ofFirst: line.text) { return try take(line.number, .bad(problem)) }
        let columns: ReceiptColumns?
        do throws(BadField) {
          columns = try ReceiptColumns(header: line.text)
        } catch {
          return try take(line.number, .bad(error.reason))
        }
        if let columns { return try columns.readRows(&lines, take) }
      }
      if before.isEmpty, ReceiptColumns.isOfIDs(line.text) {
        return try take(line.number, .bad(ReceiptColumns.ofIDs))
      }
      size += line.text.count
      // A file larger than any receipt, or with more lines, is read line by line.
      let isBare = !line.isTooLong && size <= FieldLimits.receipt && before.count < mostLinesOfOne
      guard isBare, !line.text.contains(where: brackets.contains) else {
        for line in before + [line] { try take(line.number, content(of: line)) }
        before = []
        while let line = try lines.next() { try take(line.number, content(of: line)) }
        return
      }
      before.append(line)
    }
    guard let first = before.first else { return try take(1, empty) }
    let receipt = bareReceipt(before.map(\.text))
    try take(
      first.number,
      receipt.map { .item($0) } ?? .bad("it is neither JSON Lines nor CSV nor one base64 receipt"))
  }

  /// Base64 usually has 64 or 76 characters a line.
  private static let mostLinesOfOne = FieldLimits.receipt / 40

  /// Characters that begin JSON and do not occur in base64.
  private static let brackets: Set<UInt8> = [UInt8(ascii: "{"), UInt8(ascii: "[")]

  /// Returns a bare receipt. Any word is base64, so the text has to begin like a receipt: with a DER sequence
  /// of more than 127 bytes, or in the iOS 6 style with a brace.
  private static func bareReceipt(_ lines: [[UInt8]]) -> ImportedReceipt? {
    guard let data = ReceiptData(base64: String(decoding: lines.joined(), as: UTF8.self)),
      ["MI", "ew", "ey"].contains(where: data.base64.hasPrefix)
    else { return nil }
    return ImportedReceipt(data: data)
  }

  private static func content<Failure: Error>(
    of line: LineStream<Failure>.Line
  ) -> LineContent<ImportedReceipt> {
    line.isTooLong ? .bad(line.reasonOfLength) : content(of: line.text)
  }

  private static func content(of text: [UInt8]) -> LineContent<ImportedReceipt> {
    let wire: Line
    do {
      wire = try StrictJSON.decode(from: text, as: "the line")
    } catch {
      return .bad("it is not a JSON object with text under receipt-data, app_user_id and bundle_id")
    }
    for (name, text, limit) in [
      ("receipt-data", wire.receiptData, FieldLimits.receipt),
      ("app_user_id", wire.appUserID, FieldLimits.appUserID), ("bundle_id", wire.bundleID, FieldLimits.name),
    ] {
      guard let breach = FieldLimits.breach(byBytes: text?.utf8.count ?? 0, over: limit) else { continue }
      return .bad("\(name) \(breach)")
    }
    guard let encoded = wire.receiptData, !encoded.isEmpty else { return .bad("receipt-data is missing") }
    guard let handle = ImportedReceipt.Handle(encoded) else { return .bad("receipt-data is not base64") }
    return .receipt(handle, of: wire.appUserID, in: wire.bundleID)
  }

  private struct Line: Decodable {
    var receiptData: String?
    var appUserID: String?
    var bundleID: String?

    enum CodingKeys: String, CodingKey {
      case receiptData = "receipt-data"
      case appUserID = "app_user_id"
      case bundleID = "bundle_id"
    }
  }
}

extension LineContent<ImportedReceipt> {
  /// Empty ids count as absent.
  static func receipt(
    _ handle: ImportedReceipt.Handle, of user: String?, called name: String = "app_user_id",
    in bundle: String?
  ) -> Self {
    for case (let name, let text?) in [(name, user), ("bundle_id", bundle)] {
      // SQLite would end the text at the NUL.
      if text.utf8.contains(0) { return .bad("\(name) holds a NUL") }
      if BlankValue.isBlank(text) { return .bad("\(name) is blank") }
    }
    if let bundle, let unseen = BlankValue.unseen(in: bundle) { return .bad("bundle_id \(unseen)") }
    var receipt = ImportedReceipt(
      handle, appUserID: user.flatMap { $0.isEmpty ? nil : AppUserID($0) },
      bundleID: bundle.flatMap { $0.isEmpty ? nil : BundleID($0) })
    receipt.isUserProvisional = user.map(HostedExport.made) ?? false
    return .item(receipt)
  }
}

extension ImportedReceipt.Handle {
  /// Reads a receipt in base64, or a signed transaction, which some apps send instead. Only the id of a
  /// transaction is used: it is not verified, but Apple's answer about it is.
  init?(_ text: String) {
    if CompactJWS.isLikely(text.utf8), let id = SignedTransaction.unverifiedID(in: text) {
      self = .customer(id)
    } else if let data = ReceiptData(base64: text) {
      self = .receipt(data)
    } else {
      return nil
    }
  }
}

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
    _ take: (Int, LineContent<ImportedReceipt>) throws(Failure) -> Void
  ) throws(Failure) {
    while let line = try lines.next() {
      try take(line.number, line.isTooLong ? .bad(line.reasonOfLength) : content(of: line.text))
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
