import Testing

extension Tag {
  /// Test that takes more than five seconds. CONTRIBUTING lists these tests.
  @Tag public static var long: Self
}
