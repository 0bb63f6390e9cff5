import ArgumentParser
import FakeAppStore

/// `KIND=RATE`, or `all=RATE` for every kind that a later try gets over, together.
struct FaultOption: ExpressibleByArgument {
  let rates: [FaultRate]

  init?(argument: String) {
    if argument.hasPrefix("all="), let rate = Double(argument.dropFirst(4)), (0...1).contains(rate) {
      rates = .sharing(rate, among: Fault.allCases.filter { !$0.isFinal })
    } else if let rate = FaultRate(parsing: argument) {
      rates = [rate]
    } else {
      return nil
    }
  }

  /// Every kind with its line, for `--help`.
  static var kinds: String {
    let width = Fault.allCases.map(\.rawValue.count).max() ?? 0
    let lines = Fault.allCases.map { fault in
      "  " + fault.rawValue + String(repeating: " ", count: width + 2 - fault.rawValue.count) + fault.summary
    }
    return lines.joined(separator: "\n") + """

        \("all") \(String(repeating: " ", count: max(0, width - 2)))every one but those after which nobody need ask again

      Statuses from 21100 to 21199 can be had by their number, alone or with -retryable, -final or -absent.
      """
  }
}
