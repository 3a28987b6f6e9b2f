import Foundation
import SimpleCache

/// A list of articles that is there at once, and up to date a moment later.
struct NewsList: Sendable {
  let feed: URL
  private let articles: ComposedLevel<DiskLevel<URL, [Article]>, AnySource<URL, [Article]>>

  /// - Parameter archive: Where the articles of the last time are kept.
  init(feed: URL, archive: DiskLevel<URL, [Article]>) {
    self.feed = feed
    let fetched = NetworkFetcher(timeout: .seconds(10), sizeLimit: 10_000_000)
      .transformValues(
        JSONTransformer<Feed>(decoder: {
          let decoder = JSONDecoder()
          decoder.dateDecodingStrategy = .iso8601
          return decoder
        })
      )
      .transformValues(ClosureTransformer { $0.items })
    articles = archive.compose(fetched.normalize())
  }

  /// Shows the archived articles, then those of the feed, which are archived on the way.
  func show() async {
    do {
      for try await news in articles.cachedThenFresh(feed) {
        switch news {
        case .cached(let articles): show(articles, from: "the archive")
        case .fresh(let articles): show(articles, from: "the feed")
        }
      }
    } catch let error as CacheError {
      print("no feed (\(error.code)); what is shown stays\n")
    } catch {
      print("no feed (\(error)); what is shown stays\n")
    }
  }

  private func show(_ articles: [Article], from place: String) {
    print("from \(place):")
    for article in articles {
      let day = article.published?.formatted(.iso8601.year().month().day()) ?? "          "
      print("  \(day)  \(article.title ?? "(no title)")")
    }
    print()
  }
}
