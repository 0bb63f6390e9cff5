import Glibc

/// Real receipt data in `../shared/corpus`, which is never part of the repository and may be absent.
public enum Corpus {
  /// Returns the paths of all corpus files of a kind, from the index; empty if the corpus is absent.
  public static func files(kind: Character) -> [String] {
    guard let index = bytes(of: "INDEX.md") else { return [] }
    return String(decoding: index, as: UTF8.self).split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map(trimmed)
      return cells.count > 3 && cells[1] == String(kind) && !cells[3].isEmpty ? cells[3] : nil
    }
  }

  public static let isPresent: Bool = {
    let isPresent = bytes(of: "INDEX.md") != nil
    if !isPresent { print("SKIPPED: the tests on real answers, since \(folder)/corpus is not there") }
    return isPresent
  }()

  public static func bytes(of path: String) -> [UInt8]? { bytes(at: "\(folder)/corpus/\(path)") }

  public static func signed(_ path: String) -> [UInt8]? { bytes(at: "\(folder)/signed/\(path)") }

  public static let hasSigned: Bool = {
    let hasSigned = signed("INDEX.md") != nil && isPresent
    if !hasSigned { print("SKIPPED: the tests on real signed data, since \(folder)/signed is not there") }
    return hasSigned
  }()

  /// European Central Bank's history of exchange rates, from `../shared/rates`.
  public static let rates = bytes(at: "\(folder)/rates/eurofxref-hist.csv")

  public static let hasRates: Bool = {
    if rates == nil { print("SKIPPED: the tests on real exchange rates, since \(folder)/rates is not there") }
    return rates != nil
  }()

  public static func appleReport(_ name: String) -> [UInt8]? { bytes(at: "\(folder)/apple-reports/\(name)") }

  public static let appleReports = "\(folder)/apple-reports"

  public static let hasAppleReports: Bool = {
    let isThere = appleReport("Financial_00000000.txt") != nil
    if !isThere { print("SKIPPED: the tests on real reports, since \(appleReports) is not there") }
    return isThere
  }()

  static func bytes(at path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return bytes
  }

  /// Folder beside the repository, found by resolving symbolic links of this file's path.
  private static let folder: String = {
    var real = [CChar](repeating: 0, count: Int(PATH_MAX))
    let path = realpath(#filePath, &real).map { String(cString: $0) } ?? #filePath
    return path.split(separator: "/").dropLast(3).reduce(into: "") { $0 += "/" + $1 } + "/../shared"
  }()

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
