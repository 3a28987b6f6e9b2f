package import Foundation
import SimpleStore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// `send`, which a method of that name hides.
private func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  #if os(Linux)
    // Without the flag a connection that the other side has closed would end the process.
    send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
  #else
    // The socket has the option instead.
    send(descriptor, bytes.baseAddress, bytes.count, 0)
  #endif
}

/// A small HTTP server on 127.0.0.1, at a port of the system's choice, with a thread for each
/// connection. What it answers is up to its handler: well-formed or not.
///
/// For examples and tests; it is no server for anything else.
package final class LoopbackServer: Sendable {
  package struct Request: Sendable {
    package let path: String
    /// By lower-case name.
    package let headers: [String: String]
  }

  /// One connection, for an answer in the test's own time.
  package struct Connection: Sendable {
    fileprivate let descriptor: Int32

    /// - Returns: Whether the other side still takes it.
    @discardableResult
    package func send(_ text: String) -> Bool { send(Data(text.utf8)) }

    @discardableResult
    package func send(_ data: Data) -> Bool {
      var rest = data[...]
      while !rest.isEmpty {
        let sent = rest.withUnsafeBytes {
          write(descriptor, $0)
        }
        if sent <= 0 { return false }
        rest = rest.dropFirst(sent)
      }
      return true
    }

    /// Waits until the other side closes.
    ///
    /// - Returns: Whether it did so within five minutes: a machine that runs a whole test suite is slow.
    package func untilClosed() -> Bool {
      var limit = timeval(tv_sec: 300, tv_usec: 0)
      setsockopt(
        descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      var byte: UInt8 = 0
      while true {
        let count = recv(descriptor, &byte, 1, 0)
        if count == 0 || (count < 0 && errno == ECONNRESET) { return true }
        if count < 0 { return false }
      }
    }
  }

  package typealias Handler = @Sendable (Request, Connection) -> Void

  package let port: UInt16
  private let listener: Int32
  private let handler: Handler
  private let seen = Guarded<[Request]>([])

  package struct CannotListen: Error {}

  package init(_ handler: @escaping Handler) throws {
    self.handler = handler
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let listener = socket(AF_INET, kind, 0)
    guard listener >= 0 else { throw CannotListen() }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(listener, pointer, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, pointer, &length) == 0
      }
    }
    self.listener = listener
    port = UInt16(bigEndian: address.sin_port)
    guard result else {
      close(listener)
      throw CannotListen()
    }
    // Holds the server: a test that only uses its address must not lose it half-way.
    let thread = Thread { [self] in
      while true {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else { return }
        #if canImport(Darwin)
          // As `MSG_NOSIGNAL` in `write`.
          var isOn: Int32 = 1
          setsockopt(
            descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
        #endif
        serve(descriptor)
      }
    }
    thread.start()
  }

  /// Refuses connections from now on. A server that is not stopped lives as long as the process.
  package func stop() {
    // Wakes the thread in `accept`.
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// The requests so far.
  package var requests: [Request] { seen.withLock { $0 } }

  package func url(_ path: String) -> URL {
    URL(string: "http://127.0.0.1:\(port)\(path)") ?? URL(fileURLWithPath: path)
  }

  private func serve(_ descriptor: Int32) {
    let thread = Thread { [self] in
      defer { close(descriptor) }
      guard let request = Self.readRequest(descriptor) else { return }
      seen.withLock { $0.append(request) }
      handler(request, Connection(descriptor: descriptor))
    }
    thread.start()
  }

  private static func readRequest(_ descriptor: Int32) -> Request? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while !bytes.suffix(4).elementsEqual([13, 10, 13, 10]) {
      guard recv(descriptor, &byte, 1, 0) == 1 else { return nil }
      bytes.append(byte)
    }
    let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
    let first = lines[0].split(separator: " ")
    guard first.count == 3, first[0] == "GET" else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...]
      headers[line[..<colon].lowercased()] = value.trimmingCharacters(in: .whitespaces)
    }
    return Request(path: String(first[1]), headers: headers)
  }
}

extension LoopbackServer.Connection {
  /// A whole answer.
  package func answer(_ status: Int = 200, headers: [String] = [], body: String = "") {
    let lines =
      ["HTTP/1.1 \(status) X", "Content-Length: \(body.utf8.count)", "Connection: close"] + headers
    send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
  }
}
