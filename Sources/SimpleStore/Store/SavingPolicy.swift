/// When a change is saved.
public enum SavingPolicy: Sendable {
  /// Before the line that makes it returns.
  case immediate
  /// A little later, together with the changes that follow meanwhile.
  ///
  /// ```swift
  /// let store = SimpleStore<User>(.json(at: url), saving: .coalesced(.milliseconds(100)))
  /// ```
  ///
  /// A change is readable at once, and saved when the delay is over, at
  /// ``SimpleStore/flush()``, when the store is released, and when the program ends by returning
  /// from `main` or by `exit`, which waits at most ten seconds for others that are changing the
  /// store. A program that is killed loses what waits. Observers are told
  /// after the save. `set` and `update` do not throw what a later save may find; a save that fails
  /// sets ``SimpleStore/saveError``, calls ``SimpleStore/onSaveError`` and keeps the changes in
  /// memory, for the next change, ``SimpleStore/flush()`` or the end to try again.
  ///
  /// A change begins with what this store knows, and other stores and processes do not wait for it:
  /// of two that set one field before either is saved, the later save counts, and two that count one
  /// number up may count one step. Different fields, those of an item inside a field included, are
  /// put together, as always. Where every step counts, save at once.
  ///
  /// The delay is measured by a clock that you may give, from the first change that waits.
  case coalesced(Duration, clock: any Clock<Duration> = ContinuousClock())
}
