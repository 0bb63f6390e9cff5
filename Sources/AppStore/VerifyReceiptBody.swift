import FoundationEssentials

/// The body of `POST verifyReceipt` as it is sent: *App Store Receipts › requestBody*.
package struct VerifyReceiptBody: Encodable {
  private let receiptData: String
  private let password: String
  private let excludeOldTransactions: Bool?

  package init(receiptData: String, password: String, excludingOldTransactions: Bool) {
    (self.receiptData, self.password) = (receiptData, password)
    excludeOldTransactions = excludingOldTransactions ? true : nil
  }

  private enum CodingKeys: String, CodingKey {
    case receiptData = "receipt-data"
    case excludeOldTransactions = "exclude-old-transactions"
    case password
  }

  package func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(self))
  }
}
