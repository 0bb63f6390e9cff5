/// A status of Apple's without data: *App Store Receipts › status*.
public enum StatusFault: Sendable, Hashable {
  /// 21000 to 21010, or one from 21100 to 21199 with `is-retryable` 1.
  case plain(Int)
  /// 21100 to 21199 with `is-retryable`, spelt in any of the ways that have been seen.
  case internalError(Int, Retryability)
  /// 21007 in production and 21008 at the sandbox, for every receipt.
  case endlessHop

  /// What `is-retryable` says.
  public enum Retryability: String, Sendable, Hashable, CaseIterable {
    case retryable
    case final
    case absent
  }

  static let plainCodes = 21000...21010
  static let internalErrors = 21100...21199

  var isFinal: Bool {
    switch self {
    case .plain(let code): [21000, 21003, 21004, 21010].contains(code)
    case .internalError(_, let retryability): retryability == .final
    case .endlessHop: false
    }
  }

  var summary: String {
    switch self {
    case .plain(let code) where Self.internalErrors.contains(code): "status \(code) with is-retryable 1"
    case .plain(21007): "status 21007, at the sandbox too"
    case .plain(21008): "status 21008, in production too"
    case .plain(let code): "status \(code) without data"
    case .internalError(let code, .absent): "status \(code) without is-retryable"
    case .internalError(let code, .retryable): "status \(code) with is-retryable true, however spelt"
    case .internalError(let code, .final): "status \(code) with is-retryable false, however spelt"
    case .endlessHop: "status 21007 in production, 21008 at the sandbox"
    }
  }
}

extension StatusFault: CaseIterable {
  public static var allCases: [StatusFault] {
    plainCodes.map(StatusFault.plain) + [.plain(21100), .plain(21199)]
      + Retryability.allCases.map { .internalError(21150, $0) } + [.endlessHop]
  }
}

extension StatusFault: RawRepresentable {
  public var rawValue: String {
    switch self {
    case .plain(let code): "\(code)"
    case .internalError(let code, let retryability): "\(code)-\(retryability.rawValue)"
    case .endlessHop: "endless-hop"
    }
  }

  public init?(rawValue: String) {
    if rawValue == "endless-hop" {
      self = .endlessHop
      return
    }
    let parts = rawValue.split(separator: "-", omittingEmptySubsequences: false)
    guard let code = Int(parts[0]), String(code) == parts[0] else { return nil }
    if parts.count == 1, Self.plainCodes.contains(code) || Self.internalErrors.contains(code) {
      self = .plain(code)
    } else if parts.count == 2, Self.internalErrors.contains(code),
      let retryability = Retryability(rawValue: String(parts[1]))
    {
      self = .internalError(code, retryability)
    } else {
      return nil
    }
  }
}
