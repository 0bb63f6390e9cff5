import Testing

extension Tag {
  /// Test that takes over five seconds. CONTRIBUTING lists them.
  @Tag public static var long: Self
}
