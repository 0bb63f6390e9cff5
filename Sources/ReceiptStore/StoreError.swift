import Files
import GRDB

/// Error of reading or writing the store, described in one sentence. It never includes values bound to a
/// statement, which may be receipts.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Kind: Sendable {
    case unusable
    case missing
    /// Other users may read or change the file, or it belongs to another user.
    case notPermitted
    case misused
  }

  public let kind: Kind
  public let description: String

  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  public init(_ description: String) { self.init(.unusable, description) }

  init(_ problem: FileProblem) {
    self =
      problem.isUnsafe
      ? StoreError(.notPermitted, "\(problem), or pass another --store")
      : StoreError("\(problem); pass another --store")
  }

  package init(_ doing: String, at path: String, _ error: any Error) {
    self.init(
      (error as? StoreError)?.kind ?? .unusable, "cannot \(doing) \(path): \(Self.reason(error, path))")
  }

  public static func mending(_ path: String) -> String {
    "end every subtop, then put the newest copy of `subtop backup` in its place with `subtop restore`, which keeps the damaged "
      + "one; without a copy, move it away with its -wal and -shm, and `sqlite3 \(path) .recover | sqlite3 new.sqlite`, with the "
      + "path that it has then, saves what can be read; then import the receipts again, which adds those that are missing, and "
      + "run `subtop sweep --all`"
  }

  private static func reason(_ error: any Error, _ path: String) -> String {
    if let error = error as? DamagedValue {
      return
        "its column \(error.column) holds a value that subtop never writes: it is damaged; \(mending(path))"
    }
    guard let error = error as? DatabaseError else {
      // Descriptions of other errors may quote rows, or may not be sentences.
      return (error as? StoreError)?.description
        ?? "its files changed while they were being read, or hold what they should not (\(type(of: error))); try again, then "
        + "run `subtop status --check`"
    }
    let said = "\(error.message ?? "unknown error") (SQLite \(error.resultCode.rawValue))"
    return switch error.resultCode {
    case .SQLITE_NOTADB: "it is not an SQLite file; move it away or pass another --store"
    case .SQLITE_CORRUPT: "\(said): it is damaged; \(mending(path))"
    // Only sums of stored numbers can have a wrong type.
    case .SQLITE_CONSTRAINT where error.extendedResultCode == .SQLITE_CONSTRAINT_DATATYPE:
      "a number in it is larger than any that subtop writes: it is damaged; \(mending(path))"
    case .SQLITE_TOOBIG: "\(said), longer than any that subtop writes: it is damaged; \(mending(path))"
    case .SQLITE_CANTOPEN, .SQLITE_PERM:
      "\(said); check that the folder exists and may be written to, or pass another --store"
    case .SQLITE_READONLY:
      "\(said); check its mode, its folder's, and whether the file system is mounted for reading only"
    case .SQLITE_FULL: "\(said); make room on the disk and go on: what was kept before is as it was"
    case .SQLITE_IOERR:
      "\(said); check the disk and the room on it, then run `subtop status --check`: what was kept before is as it was"
    case .SQLITE_BUSY: "\(said): another program has been writing to it for long; try again when it is done"
    default: said
    }
  }
}
