import Testing
import VirtualBoard

extension Trait where Self == ConditionTrait {
    /// Runs the stories where `TURNSTILED_BOARD` names boards to run them on.
    static var onBoards: Self {
        .enabled(if: !Debian.each.isEmpty, "stories of the virtual boards: make board-test")
    }
}
