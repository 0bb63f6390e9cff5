import AppStore

/// Transactions and renewal infos as Apple signed them, one a line, bare or in JSON.
public enum TransactionsFile: LineFormat {
  public static let name = "transactions"
  public static let what = "signed transactions"

  public static func readText<Failure: Error>(
    _ lines: inout LineStream<Failure>,
    _ take: (LinePlace, LineContent<KeptSignedData>) throws(Failure) -> Void
  ) throws(Failure) {
    try readValues(&lines, canRead: { (try? KeptSignedData(decoding: $0)) != nil }, content, take)
  }

  private static func content(of text: [UInt8]) -> LineContent<KeptSignedData> {
    do throws(UnreadableAnswer) {
      return .item(try KeptSignedData(decoding: text))
    } catch {
      return .bad("it is not a signed transaction: \(error)")
    }
  }
}
