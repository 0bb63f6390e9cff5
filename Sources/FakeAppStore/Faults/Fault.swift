/// What goes wrong on request, a named share of the time.
///
/// Its raw value is the KIND of `--fault KIND=RATE`.
public enum Fault: Sendable, Hashable {
  /// Drawn for each connection, before it says a word.
  case connection(ConnectionFault)
  /// The right answer, delivered wrongly or not at all.
  case transport(TransportFault)
  /// HTTP itself complains.
  case page(PageFault)
  /// HTTP 200, and a status of Apple's instead of data.
  case status(StatusFault)
  /// HTTP 200, and a body that nobody should believe.
  case answer(AnswerFault)
  /// Of the Server API: signed data that nobody should believe.
  case signed(SignedFault)
  /// Of the Server API: an error instead of data.
  case serverError(ServerErrorFault)

  /// One line for people.
  public var summary: String { kind.summary }

  private var kind: any FaultKind {
    switch self {
    case .connection(let fault): fault
    case .transport(let fault): fault
    case .page(let fault): fault
    case .status(let fault): fault
    case .answer(let fault): fault
    case .signed(let fault): fault
    case .serverError(let fault): fault
    }
  }

  /// Whether verifyReceipt can have it.
  public var isOfReceipts: Bool {
    switch self {
    case .connection, .transport, .page, .status, .answer: true
    case .signed, .serverError: false
    }
  }

  /// Whether the Server API can have it.
  public var isOfServerAPI: Bool {
    switch self {
    case .connection, .transport, .page, .signed, .serverError: true
    case .status: false
    case .answer(let fault): fault.isOfServerAPI
    }
  }

  /// An answer after which a client rightly gives the receipt, or the run, up: asking again would not help.
  public var isFinal: Bool {
    switch self {
    case .status(let fault): fault.isFinal
    case .serverError(let fault): fault == .unauthenticated
    default: false
    }
  }
}

extension Fault: CaseIterable {
  /// Every kind once; of the hundred statuses from 21100 a few stand for all.
  public static var allCases: [Fault] {
    ConnectionFault.allCases.map(Fault.connection) + TransportFault.allCases.map(Fault.transport)
      + PageFault.allCases.map(Fault.page) + StatusFault.allCases.map(Fault.status)
      + AnswerFault.allCases.map(Fault.answer) + SignedFault.allCases.map(Fault.signed)
      + ServerErrorFault.allCases.map(Fault.serverError)
  }
}

extension Fault: RawRepresentable {
  public var rawValue: String { kind.rawValue }

  public init?(rawValue: String) {
    let kind =
      ConnectionFault(rawValue: rawValue).map(Fault.connection)
      ?? TransportFault(rawValue: rawValue).map(Fault.transport)
      ?? PageFault(rawValue: rawValue).map(Fault.page)
      ?? StatusFault(rawValue: rawValue).map(Fault.status)
      ?? AnswerFault(rawValue: rawValue).map(Fault.answer)
      ?? SignedFault(rawValue: rawValue).map(Fault.signed)
      ?? ServerErrorFault(rawValue: rawValue).map(Fault.serverError)
    guard let kind else { return nil }
    self = kind
  }
}

private protocol FaultKind {
  var rawValue: String { get }
  var summary: String { get }
}

extension ConnectionFault: FaultKind {}
extension TransportFault: FaultKind {}
extension PageFault: FaultKind {}
extension StatusFault: FaultKind {}
extension AnswerFault: FaultKind {}
extension SignedFault: FaultKind {}
extension ServerErrorFault: FaultKind {}
