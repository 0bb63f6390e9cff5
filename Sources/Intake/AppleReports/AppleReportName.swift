import Subscriptions

/// Vendor, region and day in the name of a report file, as App Store Connect and its API write them:
/// `S_D_85012345_20260218.txt.gz`, `Subscription_Event_85012345_20260218_V1_3.txt`, `85012345_0226_US.txt`.
struct AppleReportName {
  /// Vendor number of at least six digits, unlike a fiscal month such as `0226`; empty if not in the name.
  let vendor: String
  /// Region of a finance report, such as `US`, `EU` or `Z1`; meaningless for other kinds of reports.
  let region: String
  let day: CivilDate?

  init(_ path: String) {
    let name = path.split(separator: "/").last ?? ""
    let words = name.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
    // A vendor number can look like a date, but it precedes the date.
    let dated = words.lastIndex { Self.day($0) != nil }
    day = dated.flatMap { Self.day(words[$0]) }
    let number = words.indices.first {
      $0 != dated && (6...20).contains(words[$0].count) && words[$0].allSatisfy(\.isNumber)
    }
    vendor = number.map { String(words[$0]) } ?? ""
    let place = words.last { $0.count == 2 && $0.first?.isUppercase == true && $0.last?.isLowercase == false }
    region = place.map(String.init) ?? ""
  }

  /// Parses a day such as `20260218`.
  private static func day(_ word: Substring) -> CivilDate? {
    guard word.count == 8, word.allSatisfy(\.isNumber) else { return nil }
    return AppleReportDay.parse("\(word.prefix(4))-\(word.dropFirst(4).prefix(2))-\(word.suffix(2))")
  }
}

enum AppleReportDay {
  /// Parses `02/18/2026` or `2026-02-18`, from 2008-07-10 (the opening of the App Store) to 2099-12-31.
  static func parse(_ text: String) -> CivilDate? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let iso = parts.count == 3 ? "\(parts[2])-\(parts[0])-\(parts[1])" : text
    guard iso.utf8.count == 10, !iso.contains("+"), let date = CivilDate(parsing: iso),
      (14_070...47_481).contains(date.daysSince1970)
    else { return nil }
    return date
  }
}
