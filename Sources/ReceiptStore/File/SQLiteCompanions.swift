/// What SQLite puts beside a file: its log, the log's index, and the journal of a file that is not in WAL mode.
enum SQLiteCompanions {
  static let suffixes = ["-wal", "-shm", "-journal"]
}
