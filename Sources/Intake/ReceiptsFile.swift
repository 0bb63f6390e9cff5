import AppStore
import Subscriptions

/// Receipts: JSON Lines with `{"receipt-data": …, "app_user_id": …, "bundle_id": …}`, CSV with a header, or
/// one bare base64 receipt.
public enum ReceiptsFile: LineFormat {
  public static let name = "receipts"

  public static func readText<Failure: Error>(
    _ lines: inout LineStream<Failure>, _ take: (Int, LineContent<ImportedReceipt>) throws(Failure) -> Void
  ) throws(Failure) {
    var before: [LineStream<Failure>.Line] = []
    var size = 0
    while let line = try lines.next() {
      let columns: IDColumns?
      do throws(UnreadableAnswer) {
        columns = before.isEmpty ? try IDColumns.ofReceipts(line.text) : nil
      } catch {
        return try take(line.number, .bad(error.reason))
      }
      if let columns {
        while let line = try lines.next() {
          try take(line.number, line.fault.map { .bad($0) } ?? columns.row(line.text).content)
        }
        return
      }
      size += line.text.count
      // A file with more bytes or lines than one receipt can have is read line by line.
      let isBare = line.fault == nil && size <= FieldLimits.receipt && before.count < mostLinesOfOne
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

  /// Maximum lines of one receipt, whose base64 usually has 64 or 76 characters per line.
  private static let mostLinesOfOne = FieldLimits.receipt / 40

  /// Characters that begin JSON values and do not occur in base64.
  private static let brackets: Set<UInt8> = [UInt8(ascii: "{"), UInt8(ascii: "[")]

  /// Returns a bare base64 receipt; `nil` for text with another beginning, because any word is valid base64.
  ///
  /// A receipt begins with a DER sequence of over 127 bytes or, in iOS 6 style, with a brace.
  private static func bareReceipt(_ lines: [[UInt8]]) -> ImportedReceipt? {
    guard let data = ReceiptData(base64: String(decoding: lines.joined(), as: UTF8.self)),
      ["MI", "ew", "ey"].contains(where: data.base64.hasPrefix)
    else { return nil }
    return ImportedReceipt(data: data)
  }

  private static func content<Failure: Error>(
    of line: LineStream<Failure>.Line
  ) -> LineContent<ImportedReceipt> {
    if let fault = line.fault { return .bad(fault) }
    guard let wire: Line = try? StrictJSON.decode(from: line.text, as: "the line") else {
      return .bad("it is not a JSON object with text under receipt-data, app_user_id and bundle_id")
    }
    return .customer(
      ("receipt-data", wire.receiptData), of: ("app_user_id", wire.appUserID), in: wire.bundleID,
      isReceipt: true)
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

extension ImportedReceipt.Handle {
  /// Reads a base64 receipt, or the unverified id in a signed transaction, which some apps send instead.
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
