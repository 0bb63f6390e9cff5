import ArgumentParser
import Dashboard
import ReceiptStore
import Sharing
import Subscriptions

struct SharedOption: ParsableArguments {
  @Flag(
    help: "Read what the team has published to the server in [shared], from any machine: subtop help team")
  var shared = false

  func open(_ configuration: ConfigurationFile, at: Instant?) throws -> ReceiptStore? {
    guard shared else { return nil }
    guard at == nil else {
      throw Failure(
        .usage,
        "a team's server does not keep what was known earlier, so --at cannot be combined with --shared; use the store itself"
      )
    }
    let rows = try SharedRows(configuration.sharedServer())
    try rows.check()
    return try rows.open()
  }
}

/// One of several equal parts of an app's customers, written `3/16`.
struct PartShare: ExpressibleByArgument {
  let number: Int
  let count: Int

  init?(argument text: String) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard numbers.count == 2, (1...1000).contains(numbers[1]), (1...numbers[1]).contains(numbers[0]) else {
      return nil
    }
    (number, count) = (numbers[0], numbers[1])
  }

  /// Whether a customer is in this part, by a hash of the user, or else of the customer's id or receipt.
  func contains(_ receipt: ImportedReceipt) -> Bool {
    var hash = StableHash()
    switch receipt.handle {
    case _ where receipt.appUserID != nil: hash.add(receipt.appUserID?.rawValue)
    case .customer(let id): hash.add(id.rawValue)
    case .receipt(let data): hash.add(data.base64)
    }
    return hash.value % UInt128(count) == UInt128(number - 1)
  }
}

extension SharedState {
  /// Origin and age of the figures, in one line.
  var head: String {
    let late = origin.late.map { "; \($0)" }.joined()
    return "Shared: \(origin.place), as of \(at.minuteText) UTC\(late)"
  }

  var origin: SharedOrigin {
    SharedOrigin(
      place: printable(place), late: late.map { "\(printable($0.name)) as of \($0.asOf.minuteText)" })
  }
}
