import Testing
import SimpleCache
