import Foundation
import System
import Testing

@Suite struct EventFDTests {
    @Test(.timeLimit(.minutes(1)))
    func `a signal that comes as a wait ends without one is there for the next`() throws {
        for _ in 0..<500 {
            let event = try EventFD()
            Thread { event.signal() }.start()
            // Were it lost, this would never end.
            while !event.wait(within: .zero) {}
            #expect(!event.wait(within: .zero))
        }
    }
}
