import Dashboard
import Files
import Glibc

/// Checks of the configuration file and its settings, except secrets and the store.
enum ConfigurationFindings {
  static func read(_ given: String?) -> (ConfigurationFile?, Finding) {
    do throws(Failure) {
      let file = try ConfigurationFile(path: given)
      guard access(file.path, F_OK) == 0 else {
        return (
          file,
          .ok(
            "configuration", "no file at \(file.path), so the defaults apply: subtop help configuration")
        )
      }
      if file.alerts.webhook != nil, let problem = readers(of: file.path) {
        return (
          file,
          .warning("configuration", "the file contains a webhook's URL, which is a secret: \(problem)")
        )
      }
      return (file, .ok("configuration", "\(file.path) is valid, and no other user can write it"))
    } catch {
      return (nil, .problem("configuration", error))
    }
  }

  private static func readers(of path: String) -> FileProblem? {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IROTH != 0 ? .readable(path) : nil
  }

  static func named(in configuration: ConfigurationFile, _ appStore: AppStoreOptions) -> [Finding] {
    var findings: [Finding] = []
    do throws(Failure) {
      _ = try appStore.sweepOptions(configuration)
    } catch {
      findings.append(.problem("addresses", error))
    }
    if configuration.rootCertificateFile != nil {
      findings.append(
        .of("root certificate") { () throws(Failure) in
          _ = try configuration.signatureVerifier()
          return .warning(
            "root certificate",
            "the certificate in root_certificate_file is trusted instead of Apple's; remove the setting, unless this is a test with a fake App Store"
          )
        })
    }
    return findings + alerts(configuration.alerts)
  }

  private static func alerts(_ settings: AlertSettings) -> [Finding] {
    let count = CountText.of(settings.alerts.count, "alert")
    guard settings.hasRecipient else {
      return settings.alerts.isEmpty
        ? []
        : [
          .ok(
            "alerts",
            "\(count), but no command or webhook to send notifications; set one in [alerts], or run `subtop status --alerts` regularly"
          )
        ]
    }
    guard !settings.alerts.isEmpty else {
      return [
        .warning(
          "alerts",
          "a command or webhook is set, but no alert; add one to [alerts]: subtop help alerts")
      ]
    }
    var findings: [Finding] = []
    if let program = settings.command.first {
      findings.append(
        isRunnable(program)
          ? .ok("alerts", "\(count), sent with \(program), which is executable")
          : .warning(
            "alerts",
            "the program \(program) in alerts.command is missing or not executable; give its full path"
          ))
    }
    // The URL is not shown, because anyone who knows it can post to it.
    if settings.webhook != nil { findings.append(.ok("alerts", "\(count), posted to the webhook")) }
    return findings
  }

  private static func isRunnable(_ program: String) -> Bool {
    func isProgram(_ path: String) -> Bool {
      var status = stat()
      return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
    guard !program.contains("/") else { return isProgram(program) }
    let folders = Environment.variable("PATH") ?? "/usr/bin:/bin"
    return folders.split(separator: ":").contains { isProgram("\($0)/\(program)") }
  }
}
