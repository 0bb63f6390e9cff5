import ArgumentParser
import FakeAppStore

/// `KIND=RATE`, or `all=RATE` for every kind that a later try gets over, together.
enum FaultOption {
  /// Throws a `ValidationError` that says what to write instead.
  @Sendable static func read(_ argument: String) throws -> [FaultRate] {
    if argument.hasPrefix("all="), let rate = Double(argument.dropFirst(4)), (0...1).contains(rate) {
      return .sharing(rate, among: Fault.allCases.filter { !$0.isFinal })
    }
    guard let rate = FaultRate(parsing: argument) else {
      throw ValidationError(
        "write KIND=RATE, as reset=0.1, with a rate from 0 to 1; `fake-app-store help serve` lists the kinds")
    }
    return [rate]
  }

  /// Every kind with its line, for `--help`.
  static var kinds: String {
    let width = Fault.allCases.map(\.rawValue.count).max() ?? 0
    let lines = Fault.allCases.map { fault in
      "  " + fault.rawValue + String(repeating: " ", count: width + 2 - fault.rawValue.count) + fault.summary
    }
    return lines.joined(separator: "\n") + """

        \("all") \(String(repeating: " ", count: max(0, width - 2)))every one but those after which nobody need ask again

      Other statuses can be had by their number, and from 21100 to 21199 with -final.
      """
  }
}
