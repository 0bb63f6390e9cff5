import Files
import GRDB

/// Error in reading or writing the store, in words for the user; omits SQL arguments, which may be receipts.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Kind: Sendable {
    case unusable
    case missing
    /// The file belongs to another user, or others may read or change it; or the server denied a right.
    case notPermitted
    case misused
    /// The server of a shared view could not be reached.
    case unreachable
    /// The server refused the user, or its certificate is wrong.
    case refused
  }

  public let kind: Kind
  public let description: String

  public init(_ kind: Kind, _ description: String) { (self.kind, self.description) = (kind, description) }

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
    "stop all running subtop programs, then restore the newest backup with `subtop restore`, which keeps the damaged file. Without a backup, "
      + "move the file away with its -wal and -shm, save what can be read with `sqlite3 \(path) .recover | sqlite3 new.sqlite` "
      + "(use its new path), import the receipts again, which adds the missing ones, and run `subtop sweep --all`"
  }

  private static func reason(_ error: any Error, _ path: String) -> String {
    if let error = error as? DamagedValue {
      return
        "its column \(error.column) holds a value that subtop never writes, so the file is damaged; \(mending(path))"
    }
    guard let error = error as? DatabaseError else {
      // Do not use descriptions of other errors: they may quote rows, or may not be sentences.
      return (error as? StoreError)?.description
        ?? "its files changed while they were read, or contain unexpected data (\(type(of: error))); try again, then "
        + "run `subtop status --check`"
    }
    let cause = "\(error.message ?? "unknown error") (SQLite \(error.resultCode.rawValue))"
    return switch error.resultCode {
    case .SQLITE_NOTADB: "it is not an SQLite file; move it away or pass another --store"
    case .SQLITE_CORRUPT: "\(cause): it is damaged; \(mending(path))"
    // Only an overflowing sum of stored numbers, which becomes a real number, can have a wrong type.
    case .SQLITE_CONSTRAINT where error.extendedResultCode == .SQLITE_CONSTRAINT_DATATYPE:
      "it contains a number that is larger than subtop ever writes, so it is damaged; \(mending(path))"
    case .SQLITE_TOOBIG:
      "\(cause): the file contains a value that is larger than subtop ever writes, so it is damaged; \(mending(path))"
    case .SQLITE_CANTOPEN, .SQLITE_PERM:
      "\(cause); check that the folder exists and is writable, or pass another --store"
    case .SQLITE_READONLY:
      "\(cause); check the permissions of the file and its folder, and whether the file system is mounted read-only"
    case .SQLITE_FULL: "\(cause); free disk space and try again; earlier data is intact"
    case .SQLITE_IOERR:
      "\(cause); check the disk and its free space, then run `subtop status --check`; earlier data is intact"
    case .SQLITE_BUSY: "\(cause): another program keeps it locked; try again when it is done"
    default: cause
    }
  }
}
