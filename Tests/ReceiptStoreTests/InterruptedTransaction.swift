import Foundation
import GRDB
import Glibc

/// Copies a file, which is made where there is none, from the middle of a transaction: with the journal that is to undo what of it has been
/// written already, as a power cut leaves both.
func leaveInterrupted(_ file: String, at copy: String) throws {
  var configuration = Configuration()
  configuration.allowsUnsafeTransactions = true
  try DatabaseQueue(path: file, configuration: configuration).writeWithoutTransaction { db in
    try db.execute(
      sql: "PRAGMA cache_size = 5; BEGIN; CREATE TABLE junk (a); INSERT INTO junk VALUES (0)")
    for _ in 0..<9 { try db.execute(sql: "INSERT INTO junk SELECT randomblob(500) FROM junk") }
    for suffix in ["", "-journal"] {
      try FileManager.default.copyItem(atPath: file + suffix, toPath: copy + suffix)
      chmod(copy + suffix, 0o600)
    }
    try db.execute(sql: "ROLLBACK")
  }
}
