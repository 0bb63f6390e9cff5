/// The body of `POST verifyReceipt` as an App Store reads it: *App Store Receipts › requestBody*.
public struct VerifyReceiptRequest: Decodable, Sendable {
  public let receiptData: String
  public let password: String?
  public let excludeOldTransactions: Bool

  public init(decoding bytes: [UInt8]) throws {
    self = try StrictJSON.decode(from: bytes, as: "the request")
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: WireName.self)
    receiptData = try values.text(.receiptData) ?? ""
    password = try values.text(.password)
    excludeOldTransactions = try values.flag(.excludeOldTransactions) ?? false
  }
}

extension VerifyReceiptRequest: CustomReflectable, CustomStringConvertible {
  public var description: String { "verifyReceipt request" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
