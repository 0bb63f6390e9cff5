import FoundationEssentials
import Subscriptions

/// Receipts as apps handed them over: JSON Lines of `{"receipt-data": …, "app_user_id": …, "bundle_id": …}`, or one bare base64 receipt.
public enum ReceiptsFile {
  public static func read(_ bytes: [UInt8]) -> Reading<ImportedReceipt> {
    var reading = Reading<ImportedReceipt>()
    guard let first = Lines(bytes: bytes).first(where: { _ in true }) else {
      reading.bad(1, "the file is empty")
      return reading
    }
    guard first.text.first(where: { !isBlank($0) }) == UInt8(ascii: "{") else {
      readBare(bytes, line: first.number, into: &reading)
      return reading
    }
    for (number, text) in Lines(bytes: bytes) { readObject(text, line: number, into: &reading) }
    return reading
  }

  private static func readBare(_ bytes: [UInt8], line: Int, into reading: inout Reading<ImportedReceipt>) {
    if let data = ReceiptData(base64: String(decoding: bytes, as: UTF8.self)) {
      reading.items.append(ImportedReceipt(data: data))
    } else {
      reading.bad(line, "it is neither JSON Lines nor one base64 receipt")
    }
  }

  private static func readObject(
    _ text: ArraySlice<UInt8>, line: Int, into reading: inout Reading<ImportedReceipt>
  ) {
    guard let wire = try? JSONDecoder().decode(Wire.self, from: Data(text)) else {
      reading.bad(line, "it is not a JSON object with text under receipt-data, app_user_id and bundle_id")
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
    reading.items.append(
      ImportedReceipt(
        data: data, appUserID: wire.appUserID.flatMap { $0.isEmpty ? nil : AppUserID($0) },
        bundleID: wire.bundleID.flatMap { $0.isEmpty ? nil : BundleID($0) }))
  }

  private struct Wire: Decodable {
    let receiptData: String?
    let appUserID: String?
    let bundleID: String?

    enum CodingKeys: String, CodingKey {
      case receiptData = "receipt-data"
      case appUserID = "app_user_id"
      case bundleID = "bundle_id"
    }
  }
}
