/// Ends the program with a sentence when a caller has asked for what cannot be.
///
/// `precondition` does so in debug builds only: an optimised one ends without a word.
///
/// - Parameters:
///   - isMet: What has to hold.
///   - sentence: What is wrong, and what to do instead.
@inline(__always)
package func require(
  _ isMet: Bool, _ sentence: @autoclosure () -> String, file: StaticString = #fileID,
  line: UInt = #line
) {
  if !isMet { fatalError(sentence(), file: file, line: line) }
}
