import StateMachines
import Stories
import Testing

@testable import Turnstile

/// Whatever holds something for each line, alarm or fault has room for one that is added.
@Suite struct PlacesTests {
    @Test func `every input has a bit of its own, and its place`() {
        #expect(Input.allCases.map(\.index) == Array(Input.allCases.indices))
        #expect(
            Input.count <= InputLevels.RawValue.bitWidth,
            "InputLevels, LineSets.swift: the raw value has too few bits")
        for input in Input.allCases {
            let levels = InputLevels(input)
            #expect(Input.allCases.filter { levels[$0] } == [input] && levels.first == input)
        }
        #expect(InputLevels().first == nil)
    }

    @Test func `every output has a bit of its own, and its place`() {
        #expect(Output.allCases.map(\.index) == Array(Output.allCases.indices))
        #expect(
            Output.count <= OutputSet.RawValue.bitWidth,
            "OutputSet, LineSets.swift: the raw value has too few bits")
        for output in Output.allCases {
            let set = OutputSet(output)
            #expect(Output.allCases.filter { set[$0] } == [output] && set.first == output)
        }
        #expect(OutputSet().first == nil)
    }

    @Test func `every alarm has a bit of its own`() {
        #expect(
            Alarm.allCases.allSatisfy { $0.index < AlarmSet.RawValue.bitWidth },
            "AlarmSet, Alarms.swift: the raw value has too few bits")
        for alarm in Alarm.allCases {
            var set = AlarmSet()
            set[alarm] = true
            #expect(Alarm.allCases.filter { set[$0] } == [alarm])
        }
    }

    @Test func `there is one value for each`() {
        #expect(PerInput<Bool>.count == Input.count, "PerInput, Inputs.swift")
        #expect(
            PerAlarm<Bool>.count == Alarm.allCases.map { $0.index + 1 }.max(),
            "PerAlarm, Alarms.swift")
    }

    @Test func `every line and every fault is where its index says`() {
        #expect(Line.all.map(\.index) == Array(Line.all.indices))
        #expect(Fault.all.map(\.index) == Array(Fault.all.indices))
        #expect(Set(Fault.all).count == Fault.all.count)
    }

    /// Whoever looks at the levels alone, as after a start, finds the same faults as whoever heard
    /// of every change.
    @Test(arguments: Input.allCases)
    func `a fault that a level tells of is found at the start`(input: Input) {
        guard let fault = input.indicatedFault else { return }
        let rest = input.entry.isActiveAtRest
        var story = Story(
            equipment: Equipment.oneWay.with(input), levels: rest ? [] : InputLevels(input))
        #expect(story.turnstile.gate.faults.isUp(fault), "\(input)")
        // What the machine's own contact tells of is nothing of the contact.
        #expect(fault.line == .input(input) || input == .externalFault, "\(input)")
        story.send(.changed(input, isActive: rest))
        #expect(!story.turnstile.gate.faults.isUp(fault) || fault.isLatching, "\(input)")
    }
}
