#if !canImport(Darwin)
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  extension ToolRun {
    /// The standard streams of a program, as its caller sees them.
    struct Pipes {
      private(set) var output: [UInt8] = []
      private(set) var errors: [UInt8] = []
      /// What the program gets as 0, 1 and 2; empty once closed here.
      private(set) var otherEnds: [Int32] = []
      private var ends: [Int32] = []
      private var sent = 0

      /// Sockets and not pipes: a write to a program that has ended is then an answer (EPIPE), where
      /// a pipe would kill this process. Other programs that this one starts get none of them.
      init() throws(Failure) {
        #if canImport(Glibc)
          let kind =
            Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        #else
          let kind = SOCK_STREAM | SOCK_CLOEXEC
        #endif
        for _ in 0..<3 {
          var pair: [Int32] = [-1, -1]
          guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else {
            let code = errno
            close()
            throw .notStarted(code)
          }
          ends.append(pair[0])
          otherEnds.append(pair[1])
        }
      }

      /// Whether the program has closed both of its outputs.
      var areClosed: Bool { ends[1] < 0 && ends[2] < 0 }
      /// How many bytes came.
      var received: Int { output.count + errors.count }

      /// Sends what can be sent and takes what is there.
      ///
      /// - Parameter milliseconds: How long to wait for either.
      mutating func exchange(_ input: [UInt8], waiting milliseconds: Int32) {
        if sent == input.count { closeEnd(0) }
        // A negative descriptor is passed over.
        var polls = ends.enumerated().map { position, end in
          pollfd(fd: end, events: Int16(position == 0 ? POLLOUT : POLLIN), revents: 0)
        }
        guard poll(&polls, nfds_t(polls.count), milliseconds) > 0 else { return }
        if polls[0].revents != 0 { send(input) }
        if polls[1].revents != 0 { output += receive(1) }
        if polls[2].revents != 0 { errors += receive(2) }
      }

      private mutating func send(_ input: [UInt8]) {
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        let count = input[sent...].withUnsafeBytes {
          #if canImport(Glibc)
            Glibc.send(ends[0], $0.baseAddress, $0.count, flags)
          #else
            Musl.send(ends[0], $0.baseAddress, $0.count, flags)
          #endif
        }
        if count > 0 {
          sent += count
        } else if count < 0, errno != EINTR, errno != EAGAIN {
          // It does not want to read it; how it ends says why.
          sent = input.count
        }
        if sent == input.count { closeEnd(0) }
      }

      /// All that is there; closes the end at the end.
      private mutating func receive(_ position: Int) -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while ends[position] >= 0, all.count <= ToolRun.mostOutput {
          let count = recv(ends[position], &buffer, buffer.count, Int32(MSG_DONTWAIT))
          if count > 0 { all += buffer.prefix(count) }
          if count < 0, errno == EINTR { continue }
          if count < 0, errno == EAGAIN { break }
          if count <= 0 { closeEnd(position) }
        }
        return all
      }

      private mutating func closeEnd(_ position: Int) {
        // Nothing was written to a disk, so its close has nothing to report.
        if ends[position] >= 0 { Self.closeDescriptor(ends[position]) }
        ends[position] = -1
      }

      /// Closes what the program has by now.
      mutating func closeOtherEnds() {
        otherEnds.forEach(Self.closeDescriptor)
        otherEnds = []
      }

      mutating func close() {
        closeOtherEnds()
        for position in ends.indices { closeEnd(position) }
      }

      private static func closeDescriptor(_ descriptor: Int32) {
        #if canImport(Glibc)
          _ = Glibc.close(descriptor)
        #else
          _ = Musl.close(descriptor)
        #endif
      }
    }
  }
#endif
