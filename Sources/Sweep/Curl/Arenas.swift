import CCurl

public enum Arenas {
  /// Makes threads that start from now on share one arena, so that memory freed by one is reused by the
  /// others. With separate arenas (glibc allows eight per core) it would stay unused. Only for a process that
  /// does nothing except sweep: threads wait for each other.
  public static func makeOne() { ccurl_limit_arenas(1) }
}
