import Subscriptions

/// Finding of `subtop doctor`, with advice.
struct Finding: Encodable, Sendable {
  enum Result: String, Encodable, Sendable {
    case ok, warning, problem
  }

  let check: String
  let result: Result
  /// Description in one sentence, with advice for warnings and problems.
  let says: String
  /// Exit code of a command that meets the problem; `nil` if the result is not a problem.
  let code: Failure.Code?

  private init(_ check: String, _ result: Result, _ says: String, _ code: Failure.Code? = nil) {
    (self.check, self.result) = (check, result)
    self.says = says.withoutSecrets
    self.code = code
  }

  static func ok(_ check: String, _ says: String) -> Finding { Finding(check, .ok, says) }

  static func warning(_ check: String, _ says: String) -> Finding { Finding(check, .warning, says) }

  static func problem(_ check: String, _ code: Failure.Code, _ says: String) -> Finding {
    Finding(check, .problem, says, code)
  }

  static func problem(_ check: String, _ error: any Error) -> Finding {
    let failure = Failure(error) ?? Failure(.failed, "\(error)")
    return problem(check, failure.code, failure.message)
  }

  static func of(_ check: String, _ work: () throws -> Finding) -> Finding {
    do {
      return try work()
    } catch {
      return problem(check, error)
    }
  }

  private enum CodingKeys: String, CodingKey {
    case check, result, says
  }
}

extension [Finding] {
  var lines: [String] {
    let width = map(\.check.count).max() ?? 0
    return map { finding in
      let result = finding.result.rawValue
      let padding = String(repeating: " ", count: Swift.max(0, 9 - result.count))
      let gap = String(repeating: " ", count: width - finding.check.count + 2)
      return result + padding + finding.check + gap + finding.says
    }
  }

  func count(_ result: Finding.Result) -> Int { count { $0.result == result } }
}
