import AppStore

/// Transactions and renewal infos signed by Apple, one a line, bare or in JSON.
public enum TransactionsFile: JSONFormat {
  public typealias Item = KeptSignedData

  public static let name = "transactions"
  public static let what = "signed transactions"
  public static let one = "a signed transaction"

  public static func value(_ text: [UInt8]) throws(UnreadableAnswer) -> KeptSignedData {
    try KeptSignedData(decoding: text)
  }

  public static func content(of kept: KeptSignedData) -> LineContent<KeptSignedData> { .item(kept) }
}
