import AppStore
import Subscriptions

/// What shows that an answer is about a receipt: the ids that the receipt itself holds, and the chains that the store has
/// of it. Whoever answers may be lying or mistaken, so that nothing is taken on his word alone.
struct Evidence {
  private let context: OutcomeContext
  /// Nil where nothing can be read of the receipt as it was imported. Mostly the chains are enough, and it is not read.
  private lazy var contents = context.receipt.flatMap(ReceiptContents.init)

  init(_ context: OutcomeContext) { self.context = context }

  /// Why an answer is not taken: it shares no purchase with the receipt. Nil where it does, or where neither has any.
  mutating func objection(to answer: Answer) -> String? {
    let chains = Set(answer.transactions.map(\.originalTransactionID))
      .union(answer.renewalInfos.compactMap(\.originalTransactionID))
    if answer.transactions.isEmpty, !isEmpty { return "the answer holds none of the receipt's purchases" }
    if chains.isEmpty || !chains.isDisjoint(with: context.chains) { return nil }
    guard let contents else {
      return context.chains.isEmpty
        ? "nothing can be read of the receipt that shows the answer's purchases to be its own" : Self.another
    }
    if !chains.isDisjoint(with: contents.originalTransactionIDs) { return nil }
    if answer.transactions.contains(where: { contents.transactionIDs.contains($0.transactionID) }) {
      return nil
    }
    return isEmpty ? "the answer holds purchases, and the receipt none" : Self.another
  }

  /// Whether a newer receipt may be sent the next time: it holds a purchase of the one that was imported, of the same app.
  mutating func vouches(for newer: ReceiptData) -> Bool {
    if newer == context.latest { return true }
    guard let contents, newer != context.receipt else { return false }
    return ReceiptContents(newer).map { $0.isOfSameCustomer(as: contents) } ?? false
  }

  private static let another = "the answer is about another receipt: none of its purchases is in this one"

  /// Neither earlier answers nor the receipt itself know any purchase.
  private var isEmpty: Bool {
    mutating get {
      context.chains.isEmpty && (contents?.transactionIDs.isEmpty ?? true)
        && (contents?.originalTransactionIDs.isEmpty ?? true)
    }
  }
}
