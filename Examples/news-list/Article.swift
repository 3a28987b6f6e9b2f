import Foundation

/// What is shown, and what is kept.
struct Article: Codable, Sendable {
  var id: String
  var title: String?
  var published: Date?

  private enum CodingKeys: String, CodingKey {
    case id, title
    case published = "date_published"
  }
}

/// As much of a JSON Feed (jsonfeed.org, version 1.1) as the list needs.
struct Feed: Codable, Sendable {
  var items: [Article]
}
