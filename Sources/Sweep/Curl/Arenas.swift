import CCurl

/// How malloc(3) shares memory out between threads.
public enum Arenas {
  /// Has the threads that come from now on take from one arena, for a process that does nothing but sweep: what one of
  /// them takes, another gives back. In arenas of their own, of which glibc allows eight for every core, it would lie
  /// there for nothing. Where a person waits for a thread, it would wait for the others.
  public static func makeOne() { ccurl_limit_arenas(1) }
}
