/// Which receipts a sweep takes.
public enum SweepSelection: Hashable, Sendable {
  /// Those whose next check has come.
  case due
  /// Every one that can still be asked about.
  case all
  case user(AppUserID)
  case receipt(ReceiptID)
}
