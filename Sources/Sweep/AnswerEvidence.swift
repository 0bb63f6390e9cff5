import AppStore
import Subscriptions

/// What shows that an answer is about a receipt: the ids that the receipt itself holds, and the chains that the store has
/// of it. Whoever answers may be lying or mistaken, so that nothing is taken on his word alone.
struct AnswerEvidence {
  private let context: OutcomeContext
  /// Nil where nothing can be read of the receipt as it was imported. Mostly the chains are enough, and it is not read.
  private lazy var contents = context.receipt.flatMap(ReceiptContents.init)

  init(_ context: OutcomeContext) { self.context = context }

  /// What of an answer is about the receipt. Evidence is asked of every chain, since an answer may mix two customers up: of the
  /// receipt itself, of what the store has of it, and of a newer receipt that it vouches for, where the chains that began
  /// later are.
  mutating func own(of answer: Answer) -> Answer {
    var own = answer
    if let newer = answer.latestReceipt, !vouches(for: newer) { own.latestReceipt = nil }
    var unproven = answer.namedChains.subtracting(context.chains)
    if !unproven.isEmpty, let contents { unproven.removeProven(by: contents, in: answer) }
    if let newer = own.latestReceipt { unproven.removeProven(byReceipt: newer, in: answer) }
    if let sent = context.latest, sent != own.latestReceipt {
      unproven.removeProven(byReceipt: sent, in: answer)
    }
    own.leaveOut(unproven)
    return own
  }

  /// Why an answer is not taken: it shares no purchase with the receipt. Nil where it does, or where neither has any.
  ///
  /// - Parameter own: what of it is about the receipt.
  mutating func objection(to answer: Answer, of own: Answer) -> String? {
    if answer.transactions.isEmpty, !isEmpty { return Self.nothing }
    if answer.namedChains.isEmpty { return nil }
    if !own.namedChains.isEmpty { return own.transactions.isEmpty && !isEmpty ? Self.nothing : nil }
    if contents == nil, context.chains.isEmpty {
      return "nothing can be read of the receipt that shows the answer's purchases to be its own"
    }
    return isEmpty ? "the answer holds purchases, and the receipt none" : Self.another
  }

  /// Whether a newer receipt may be sent the next time: it holds a purchase of the one that was imported, of the same app.
  private mutating func vouches(for newer: ReceiptData) -> Bool {
    if newer == context.latest { return true }
    guard let contents, newer != context.receipt else { return false }
    return ReceiptContents(newer).map { $0.isOfSameCustomer(as: contents) } ?? false
  }

  private static let nothing = "the answer holds none of the receipt's purchases"
  private static let another = "the answer is about another receipt: none of its purchases is in this one"

  /// Neither earlier answers nor the receipt itself know any purchase.
  private var isEmpty: Bool {
    mutating get {
      context.chains.isEmpty && (contents?.transactionIDs.isEmpty ?? true)
        && (contents?.originalTransactionIDs.isEmpty ?? true)
    }
  }
}

extension Set<OriginalTransactionID> {
  /// Removes the chains that a receipt holds itself, or a transaction of.
  fileprivate mutating func removeProven(by contents: ReceiptContents, in answer: Answer) {
    guard !isEmpty else { return }
    subtract(contents.chains(among: answer.transactions))
  }

  /// Reads a receipt only where there is still something to ask of it.
  fileprivate mutating func removeProven(byReceipt receipt: ReceiptData, in answer: Answer) {
    guard !isEmpty, let contents = ReceiptContents(receipt) else { return }
    removeProven(by: contents, in: answer)
  }
}
