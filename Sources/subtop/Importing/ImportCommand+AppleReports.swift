import AppStore
import ArgumentParser
import Dashboard
import FoundationEssentials
import Intake
import ReceiptStore
import Subscriptions

extension ImportCommand {
  func validateReports() throws {
    guard kind == .appleReports else {
      guard reportDate == nil, vendor == nil else {
        throw ValidationError(
          "--report-date and --vendor are only for apple-reports, not for \(kind.rawValue)")
      }
      return
    }
    guard !skipInvalid else {
      throw ValidationError(
        "--skip-invalid is not for apple-reports, because a report that lacks rows has wrong totals")
    }
    guard vendor?.allSatisfy({ $0.isASCII && $0.isNumber }) != false, vendor != "" else {
      throw ValidationError("--vendor is not a vendor number; pass one, such as 85012345")
    }
  }

  func importAppleReports() throws {
    let policy = try options.configuration().duePolicy
    let (day, vendor) = (reportDate, vendor)
    let files = try files.flatMap(Self.files)
    let reading = reading(of: AppleReportsFile.self, in: files) { item throws(Failure) in
      guard case .begin(var report, let needsDay) = item else { return nil }
      if needsDay {
        guard let day else {
          return
            "neither the \(report.kind.title) report nor the file's name has a date; pass one, such as --report-date 2026-02-18"
        }
        (report.from, report.through) = (day, day)
      }
      if report.vendor.isEmpty { report.vendor = vendor ?? "" }
      item = .begin(report, needsDay: false)
      return nil
    }
    let (summary, _) = try importWhole(reading, policy: policy, { $0 }) { store, next in
      try store.addAppleReports(pages: { next([]) }, at: SystemClock.now, hash: Self.hash)
    }
    let changes = [(summary.new, "new"), (summary.replaced, "replaced"), (summary.unchanged, "unchanged")]
    let counts = changes.filter { $0.0 > 0 }.map { "\(CountText.of($0.0)) \($0.1)" }.joined(separator: ", ")
    Standard.note(
      "imported \(CountText.of(summary.reports, "report")) with \(CountText.of(summary.lines, "row")): \(counts)\n"
    )
    for line in ImportRemarks(reading.remarks).lines { Standard.note(line + "\n") }
  }

  /// Returns half of the SHA-256 of a salted Subscriber ID, in hexadecimal.
  static func hash(salt: String, of id: String) -> String {
    String(SHA256.hexadecimal(Array((salt + id).utf8)).prefix(32))
  }

  private static func files(at path: String) throws -> [String] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return [path] }
    let files = names.sorted().filter { name in
      !name.hasPrefix(".") && [".txt", ".tsv", ".gz"].contains(where: name.lowercased().hasSuffix)
    }
    guard !files.isEmpty else {
      throw Failure(
        .noInput, "cannot import \(path): the folder has no file with the ending .txt, .tsv or .gz")
    }
    return files.map { "\(path)/\($0)" }
  }
}
