import FoundationEssentials

/// Request that an app's server posts to verifyReceipt: *App Store Receipts › requestBody*.
public struct VerifyReceiptBody: Encodable {
  let receiptData: String
  let password: String?
  let excludeOldTransactions: Bool

  enum CodingKeys: String, CodingKey {
    case receiptData = "receipt-data"
    case password
    case excludeOldTransactions = "exclude-old-transactions"
  }

  public init(_ receipt: String, password: String?, excludingOld: Bool = false) {
    (receiptData, self.password, excludeOldTransactions) = (receipt, password, excludingOld)
  }

  public var json: [UInt8] {
    get throws { Array(try JSONEncoder().encode(self)) }
  }
}
