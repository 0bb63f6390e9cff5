import FoundationEssentials
import Subscriptions

/// The body of `POST verifyReceipt`: *App Store Receipts › requestBody*.
public struct VerifyReceiptRequest: Sendable {
  public var receiptData: String
  /// The app's shared secret, already trimmed; an empty one would be answered with 21002.
  public var password: String?
  public var excludeOldTransactions: Bool

  public init(receiptData: String, password: String?, excludeOldTransactions: Bool = false) {
    self.receiptData = receiptData
    self.password = password
    self.excludeOldTransactions = excludeOldTransactions
  }

  /// The JSON that goes out. It holds the secret and the receipt: never log it.
  public var body: [UInt8] {
    get throws { Array(try JSONEncoder().encode(self)) }
  }

  /// Reads a request, as an App Store does.
  public init(decoding bytes: [UInt8]) throws {
    self = try StrictJSON.read(bytes) { (values) throws(Misread) in
      Self(
        receiptData: try values.text(.receiptData) ?? "", password: try values.text(.password),
        excludeOldTransactions: try values.flag(.excludeOldTransactions) ?? false)
    }
  }
}

extension VerifyReceiptRequest: Encodable {
  enum CodingKeys: String, CodingKey {
    case receiptData = "receipt-data"
    case password
    case excludeOldTransactions = "exclude-old-transactions"
  }
}

extension VerifyReceiptRequest: CustomReflectable, CustomStringConvertible {
  public var description: String { "verifyReceipt request" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
