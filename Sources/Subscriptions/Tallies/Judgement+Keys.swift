/// What a line's state is counted by, as `TallyKey.detail` spells it.
public struct StandingDetail: Hashable, Sendable {
  public var state: LineState
  /// Of the current row.
  public var kind: PeriodKind
  public var autoRenew: Bool?
  public var isChangePending: Bool
  /// Whether only a renewal info that came later could tell if it was in grace or in billing retry.
  public var isUnobserved: Bool

  public init(
    state: LineState, kind: PeriodKind, autoRenew: Bool?, isChangePending: Bool, isUnobserved: Bool
  ) {
    self.state = state
    self.kind = kind
    self.autoRenew = autoRenew
    self.isChangePending = isChangePending
    self.isUnobserved = isUnobserved
  }

  public var text: String {
    let renew = autoRenew.map { $0 ? "1" : "0" } ?? "-"
    return
      "\(state.rawValue) \(kind.rawValue) \(renew) \(isChangePending ? "1" : "0") \(isUnobserved ? "1" : "0")"
  }

  /// Reads `text`.
  public init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 5, let state = LineState(rawValue: String(words[0])),
      let kind = PeriodKind(rawValue: String(words[1]))
    else { return nil }
    self.init(
      state: state, kind: kind, autoRenew: words[2] == "-" ? nil : words[2] == "1",
      isChangePending: words[3] == "1", isUnobserved: words[4] == "1")
  }
}

/// What a lost line is counted by, as `TallyKey.detail` spells it before the lag.
public struct LossDetail: Hashable, Sendable {
  public var isRevoked: Bool
  public var isPaid: Bool
  /// Nil is unknown.
  public var intent: ExpirationIntent?

  public init(isRevoked: Bool, isPaid: Bool, intent: ExpirationIntent?) {
    self.isRevoked = isRevoked
    self.isPaid = isPaid
    self.intent = intent
  }

  /// The texts of those that are paid, for SQLite's `GLOB`.
  public static let paidPattern = "? 1 *"

  package var text: String {
    "\(isRevoked ? "1" : "0") \(isPaid ? "1" : "0") \(intent.map { "=\($0.rawValue)" } ?? "-")"
  }

  /// Reads `text` and a lag.
  public init?(_ text: String) {
    // By bytes: what Apple sent may begin with something that a character before it would take for its own.
    let words = text.utf8.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count == 3, let end = words[2].lastIndex(of: UInt8(ascii: " ")) else { return nil }
    let intent = words[2][..<end]
    self.init(
      isRevoked: words[0].elementsEqual("1".utf8), isPaid: words[1].elementsEqual("1".utf8),
      intent: intent.first == UInt8(ascii: "=")
        ? ExpirationIntent(String(Substring(intent.dropFirst()))) : nil)
  }
}

extension TallyKey {
  /// A line in a state.
  ///
  /// - Parameter monthly: what it costs a month; counted in the states of which revenue is told.
  fileprivate static func standing(
    _ detail: StandingDetail, product: ProductID, monthly: Money?, in environment: StoreEnvironment
  ) -> (key: TallyKey, value: TallyValue) {
    let money = [.active, .grace, .billingRetry].contains(detail.state) ? monthly : nil
    return (
      TallyKey(.state, environment, product: product, detail: detail.text, currency: money?.currency),
      TallyValue(count: 1, micros: money?.micros ?? 0)
    )
  }
}

extension Judgement {
  func standing(
    in environment: StoreEnvironment, isUnobserved: Bool
  ) -> (key: TallyKey, value: TallyValue) {
    // What expired lines are told by stands elsewhere.
    let isOver = state == .expired || state == .revoked
    return TallyKey.standing(
      StandingDetail(
        state: state, kind: isOver ? .standard : current.kind,
        autoRenew: isOver ? nil : renewal?.autoRenewStatus,
        isChangePending: !isOver && isChangePending, isUnobserved: isUnobserved),
      product: current.productID, monthly: current.monthly, in: environment)
  }

  /// The state.
  func failingKey(in environment: StoreEnvironment) -> TallyKey {
    TallyKey(.failing, environment, product: current.productID, detail: state.rawValue)
  }

  func lossKey(in environment: StoreEnvironment) -> TallyKey {
    let detail = LossDetail(
      isRevoked: state == .revoked, isPaid: countedRow.kind.isPaid,
      intent: state == .expired ? renewal?.expirationIntent : nil)
    return TallyKey(.loss, environment, product: countedRow.productID, detail: detail.text)
  }

  /// With auto-renew on, what the renewal would cost.
  ///
  /// - Parameter renewal: the newest, as the store keeps it beside the line's last phase.
  func endMark(renewal: RenewalInfo?, in environment: StoreEnvironment, catalog: Catalog) -> TallyMark {
    let isRenewing = renewal?.autoRenewStatus == true
    let charge = catalog.standardPrice(
      of: renewal?.autoRenewProductID ?? current.productID, at: current.expires)
    return TallyMark.end(
      at: current.expires, product: current.productID, isRenewing: isRenewing, charge: charge, in: environment
    )
  }
}

extension TallyMark {
  /// - Parameter charge: what a renewal would cost; nil is unpriced.
  public static func end(
    at expires: Instant, product: ProductID, isRenewing: Bool, charge: Money?,
    in environment: StoreEnvironment
  ) -> TallyMark {
    let money = isRenewing ? charge : nil
    return TallyMark(
      expires,
      TallyKey(
        .end, environment, product: product, detail: isRenewing ? "1" : "0", currency: money?.currency),
      TallyValue(count: 1, micros: money?.micros ?? 0))
  }
}
