/// Real receipt and Apple's answer to it, as paths of corpus files.
public struct CorpusExchange: CustomStringConvertible, Sendable {
  public let description: String
  public let receipt: String
  public let response: String

  private static let verifier = "linjunpop__receipt_verifier/test__fixtures__vcr_cassettes__"
  private static let samples = "RevenueCat__purchases-ios/Tests__UnitTests__Resources__receipts__"

  public static let all = [
    CorpusExchange(
      description: "an auto-renewing one",
      receipt: verifier + "auto_renewable_receipt.json.exchange1.receipt.b64",
      response: verifier + "auto_renewable_receipt.json.exchange2.json"),
    CorpusExchange(
      description: "without old transactions",
      receipt: verifier + "exclude_old_transactions.json.exchange1.receipt.b64",
      response: verifier + "exclude_old_transactions.json.exchange1.json"),
    CorpusExchange(
      description: "the same with old transactions",
      receipt: verifier + "exclude_old_transactions.json.exchange1.receipt.b64",
      response: verifier + "exclude_old_transactions_false.json.exchange1.json"),
    CorpusExchange(
      description: "one-time purchases", receipt: verifier + "receipt.json.exchange1.receipt.b64",
      response: verifier + "receipt.json.exchange2.json"),
    CorpusExchange(
      description: "a sample", receipt: samples + "base64encodedreceiptsample1.txt",
      response: samples + "verifyReceiptSample1.txt.json"),
  ]
}
