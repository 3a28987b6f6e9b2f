/// Called by libFuzzer for every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func tryInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  RoundTrip.check(BinaryPropertyListFormat(), start, count)
  return 0
}
