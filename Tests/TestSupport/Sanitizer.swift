import Foundation

/// What every program of a test run was built with, by `swift test --sanitize=…`.
package enum Sanitizer {
  case address, thread

  /// The sanitizer of this program, found by its runtime; nil where there is none.
  package static let current: Sanitizer? = {
    let program = dlopen(nil, RTLD_NOW)
    if dlsym(program, "__asan_init") != nil { return .address }
    if dlsym(program, "__tsan_init") != nil { return .thread }
    return nil
  }()

  /// Environment variables for a program whose memory is measured: AddressSanitizer would keep what
  /// the program frees, 256 MB of it.
  package static var keepingNothing: [String: String] {
    guard current == .address else { return [:] }
    let options = [
      ProcessInfo.processInfo.environment["ASAN_OPTIONS"], "quarantine_size_mb=0",
      "thread_local_quarantine_size_kb=0", "malloc_context_size=0",
    ]
    return ["ASAN_OPTIONS": options.compactMap { $0 }.joined(separator: ":")]
  }
}
