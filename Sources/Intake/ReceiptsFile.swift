import AppStore
import Subscriptions

/// Receipts as apps handed them over: JSON Lines of `{"receipt-data": …, "app_user_id": …, "bundle_id": …}`, or one bare base64 receipt.
public enum ReceiptsFile {
  public static func read(_ bytes: [UInt8]) -> Reading<ImportedReceipt> {
    var reading = Reading<ImportedReceipt>()
    let lines = Array(Lines(bytes: bytes))
    guard let first = lines.first else {
      reading.bad(1, "the file is empty")
      return reading
    }
    if lines.contains(where: { $0.text.contains { brackets.contains($0) } }) {
      for (number, text) in lines { readObject(text, line: number, into: &reading) }
    } else if let receipt = bareReceipt(lines.map(\.text)) {
      reading.take(receipt, from: first.number)
    } else {
      reading.bad(first.number, "it is neither JSON Lines nor one base64 receipt")
    }
    return reading
  }

  /// What opens JSON, and stands in no base64.
  private static let brackets: Set<UInt8> = [UInt8(ascii: "{"), UInt8(ascii: "[")]

  /// Any word is base64, so that a receipt without JSON around it has to begin as receipts do: with a DER sequence of
  /// more than 127 bytes, or in the iOS 6 style with a brace.
  private static func bareReceipt(_ lines: [ArraySlice<UInt8>]) -> ImportedReceipt? {
    guard let data = ReceiptData(base64: String(decoding: lines.joined(), as: UTF8.self)),
      ["MI", "ew", "ey"].contains(where: data.base64.hasPrefix)
    else { return nil }
    return ImportedReceipt(data: data)
  }

  private static func readObject(
    _ text: ArraySlice<UInt8>, line: Int, into reading: inout Reading<ImportedReceipt>
  ) {
    let wire: (receiptData: String?, appUserID: String?, bundleID: String?)
    do throws(Misread) {
      wire = try StrictJSON.read(Array(text)) { (values) throws(Misread) in
        (try values.string(.receiptData), try values.string(.appUserID), try values.string(.bundleID))
      }
    } catch {
      reading.bad(line, "it is not a JSON object with text under receipt-data, app_user_id and bundle_id")
      return
    }
    guard ![wire.appUserID, wire.bundleID].contains(where: { $0?.utf8.contains(0) == true }) else {
      // The store would end the text there.
      reading.bad(line, "app_user_id or bundle_id holds a NUL")
      return
    }
    guard let encoded = wire.receiptData, !encoded.isEmpty else {
      reading.bad(line, "receipt-data is missing")
      return
    }
    guard let data = ReceiptData(base64: encoded) else {
      reading.bad(line, "receipt-data is not base64")
      return
    }
    reading.take(
      ImportedReceipt(
        data: data, appUserID: wire.appUserID.flatMap { $0.isEmpty ? nil : AppUserID($0) },
        bundleID: wire.bundleID.flatMap { $0.isEmpty ? nil : BundleID($0) }),
      from: line)
  }
}
