import Foundation
import GRDB
import Glibc

/// Copies a file, created if missing, amid a transaction with its rollback journal, as after a power cut.
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
