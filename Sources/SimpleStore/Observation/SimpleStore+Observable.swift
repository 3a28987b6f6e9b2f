public import Observation

/// Reads of `store[\.name]`, `store.name` and `store.item` are tracked, so SwiftUI,
/// `withObservationTracking` and `Observations` follow a store as they follow any model.
///
/// ```swift
/// for await name in Observations({ store.name }) { print(name) }
/// ```
///
/// Tracking is by item: a change of one field wakes the readers of all. A change is announced when
/// it is stored and readable, never before.
///
/// The framework installs its tracking after the tracked closure has run. A change that another
/// thread makes in between goes by unseen until the next one; when writers are on other threads
/// than the reader, ``values(_:initial:)`` misses nothing.
extension SimpleStore: Observable {}
