/// A status of Apple's without data: *App Store Receipts › status*.
public enum StatusFault: Sendable, Hashable {
  /// 21000 to 21010, or one from 21100 to 21199 with `is-retryable` 1. 21007 and 21008 come at both addresses.
  case plain(Int)
  /// 21100 to 21199 with `is-retryable` 0.
  case final(Int)

  private static let plainCodes = 21000...21010
  private static let internalErrors = 21100...21199

  var isFinal: Bool {
    switch self {
    case .plain(let code): [21000, 21003, 21004, 21010].contains(code)
    case .final: true
    }
  }

  var answer: FakeAnswer {
    switch self {
    case .plain(let code): .refusal(code, isRetryable: Self.internalErrors.contains(code) ? true : nil)
    case .final(let code): .refusal(code, isRetryable: false)
    }
  }

  var summary: String {
    switch self {
    case .plain(let code) where Self.internalErrors.contains(code): "status \(code) with is-retryable 1"
    case .plain(let code): "status \(code) without data"
    case .final(let code): "status \(code) with is-retryable 0"
    }
  }
}

extension StatusFault: CaseIterable {
  public static var allCases: [StatusFault] {
    [21000, 21002, 21003, 21004, 21005, 21007, 21009, 21010, 21100].map(StatusFault.plain) + [.final(21150)]
  }
}

extension StatusFault: RawRepresentable {
  public var rawValue: String {
    switch self {
    case .plain(let code): "\(code)"
    case .final(let code): "\(code)-final"
    }
  }

  public init?(rawValue: String) {
    let isFinal = rawValue.hasSuffix("-final")
    let digits = isFinal ? String(rawValue.dropLast(6)) : rawValue
    guard let code = Int(digits), "\(code)" == digits,
      Self.internalErrors.contains(code) || !isFinal && Self.plainCodes.contains(code)
    else { return nil }
    self = isFinal ? .final(code) : .plain(code)
  }
}
