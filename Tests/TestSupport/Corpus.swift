import Glibc

/// Real receipt data that is never part of the repository: `../shared/corpus` beside it, where there is one.
public enum Corpus {
  /// The rows of one kind in its index, as paths below the corpus; empty where the folder is absent.
  public static func files(kind: Character) -> [String] {
    guard let index = bytes(of: "INDEX.md") else { return [] }
    return String(decoding: index, as: UTF8.self).split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map(trimmed)
      return cells.count > 3 && cells[1] == String(kind) && !cells[3].isEmpty ? cells[3] : nil
    }
  }

  /// Says so when there is nothing to test with.
  public static let isPresent: Bool = {
    let isPresent = bytes(of: "INDEX.md") != nil
    if !isPresent { print("SKIPPED: the tests on real answers, since \(folder)/corpus is not there") }
    return isPresent
  }()

  public static func bytes(of path: String) -> [UInt8]? { bytes(at: "\(folder)/corpus/\(path)") }

  /// The same of signed data, which lies in `../shared/signed`.
  public static func signed(_ path: String) -> [UInt8]? { bytes(at: "\(folder)/signed/\(path)") }

  /// Says so when there is none.
  public static let hasSigned: Bool = {
    let hasSigned = signed("INDEX.md") != nil && isPresent
    if !hasSigned { print("SKIPPED: the tests on real signed data, since \(folder)/signed is not there") }
    return hasSigned
  }()

  /// The European Central Bank's history of exchange rates, which lies in `../shared/rates`.
  public static let rates = bytes(at: "\(folder)/rates/eurofxref-hist.csv")

  /// Says so when there is none.
  public static let hasRates: Bool = {
    if rates == nil { print("SKIPPED: the tests on real exchange rates, since \(folder)/rates is not there") }
    return rates != nil
  }()

  private static func bytes(at path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return bytes
  }

  /// Three folders up from this file is the repository, through any links.
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
