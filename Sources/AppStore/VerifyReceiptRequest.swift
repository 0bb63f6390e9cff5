/// The body of `POST verifyReceipt` as an App Store reads it: *App Store Receipts › requestBody*.
public struct VerifyReceiptRequest: Sendable {
  public let receiptData: String
  public let password: String?
  public let excludeOldTransactions: Bool

  public init(decoding bytes: [UInt8]) throws {
    (receiptData, password, excludeOldTransactions) = try StrictJSON.read(bytes) { (values) throws(Misread) in
      (
        try values.text(.receiptData) ?? "", try values.text(.password),
        try values.flag(.excludeOldTransactions) ?? false
      )
    }
  }
}

extension VerifyReceiptRequest: CustomReflectable, CustomStringConvertible {
  public var description: String { "verifyReceipt request" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
