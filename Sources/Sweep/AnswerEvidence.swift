import AppStore
import Subscriptions

/// Evidence that an answer belongs to its receipt: the ids inside the receipt, and the chains stored for it.
struct AnswerEvidence {
  private let context: OutcomeContext
  /// Decoded receipt, or `nil` if it is missing or unreadable; used only if the stored chains do not suffice.
  private lazy var contents = context.receipt.flatMap(ReceiptContents.init)

  init(_ context: OutcomeContext) { self.context = context }

  /// Returns the answer without the data that may belong to another customer.
  ///
  /// An answer may mix data of two customers. A chain is kept if it is stored for the receipt, or is in the
  /// receipt or in a newer receipt. The newer receipt must share the app and a purchase with the receipt.
  mutating func own(of answer: Answer) -> Answer {
    var own = answer
    if let newer = answer.latestReceipt, !vouches(for: newer) { own.latestReceipt = nil }
    var unproven = answer.namedChains.subtracting(context.chains)
    if !unproven.isEmpty, let contents { unproven.subtract(contents.chains(among: answer.transactions)) }
    for case let newer? in [own.latestReceipt, context.latest] where !unproven.isEmpty {
      unproven.subtract(ReceiptContents(newer)?.chains(among: answer.transactions) ?? [])
    }
    own.leaveOut(unproven)
    return own
  }

  /// Returns the reason to reject an answer; `nil` if the answer and the receipt share a purchase, or if
  /// neither contains a purchase.
  mutating func objection(to answer: Answer, of own: Answer) -> String? {
    if answer.transactions.isEmpty, !isEmpty { return Self.nothing }
    if answer.namedChains.isEmpty { return nil }
    if !own.namedChains.isEmpty { return own.transactions.isEmpty && !isEmpty ? Self.nothing : nil }
    if contents == nil, context.chains.isEmpty {
      return "the receipt cannot be read, so the answer's purchases cannot be verified"
    }
    return isEmpty ? "the answer contains purchases, the receipt none" : Self.another
  }

  /// Returns whether later requests may send `newer`: it must share the app and a purchase with the receipt.
  private mutating func vouches(for newer: ReceiptData) -> Bool {
    if newer == context.latest { return true }
    guard let contents, newer != context.receipt else { return false }
    return ReceiptContents(newer).map { $0.isOfSameCustomer(as: contents) } ?? false
  }

  private static let nothing = "the answer contains none of the receipt's purchases"
  private static let another = "the answer is about another receipt: none of its purchases is in this one"

  private var isEmpty: Bool {
    mutating get {
      context.chains.isEmpty && (contents?.transactionIDs.isEmpty ?? true)
        && (contents?.originalTransactionIDs.isEmpty ?? true)
    }
  }
}

/// Request for a receipt, and data about the receipt that is needed to judge the answer.
package struct OutcomeContext: Sendable {
  package var asked: StoreEnvironment
  /// Whether the other environment redirected the request to `asked`.
  package var isRerouted = false
  package var app: BundleID?
  package var ourApps: Set<BundleID>?
  package var receipt: ReceiptData?
  /// Requests to the Server API; `nil` if verifyReceipt is used.
  var questions: CustomerQuestions?
  /// Newer receipt that was sent instead of `receipt`.
  package var latest: ReceiptData?
  /// Chains that earlier answers about the receipt contained.
  package var chains: Set<OriginalTransactionID> = []

  package init(asked: StoreEnvironment) { self.asked = asked }
}
