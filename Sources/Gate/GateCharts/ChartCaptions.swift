import Turnstile

// The captions of arrows: events before the stroke, commands after it.

extension Lane.Event {
    var caption: String {
        switch self {
        case .authorised: "authorised"
        case .takenUp: "authorised before the start"
        case .moved(let movement, _): "\(movement.caption) (rotor)"
        case .suspended: "suspended"
        case .resumed: "resumed"
        case .closed: "closed"
        case .lockCut: "lock cut"
        case .found: "found in the rotor at the start"
        case .timePassed: "time passed"
        }
    }
}

extension RotorDecoder.Command {
    fileprivate var caption: String {
        switch self {
        case .begin(let direction): "begin, \(direction)"
        case .reachMiddle(let direction): "reach middle, \(direction)"
        case .leaveMiddle(let direction): "leave middle, \(direction)"
        case .complete(let direction): "complete, \(direction)"
        case .backOut(let direction): "back out, \(direction)"
        case .reportIllegalTransition: "report illegal transition"
        case .loseTrack: "lose track"
        case .findHome: "find home"
        }
    }
}

extension Lane.Command {
    var caption: String {
        switch self {
        case .start(let direction): "start, \(direction)"
        case .complete(let grant): "complete, \(grant.direction)"
        case .backOut(let direction, _): "back out, \(direction)"
        case .loseTrack(let grant): "lose track, \(grant.direction)"
        case .expire: "expire"
        case .giveBack: "give back"
        case .reportIntruder(let alarm): "report \(GateChart.words(alarm))"
        case .completeUnauthorised(let direction): "complete unauthorised, \(direction)"
        case .recover(let passage): "recover, \(passage.direction)"
        }
    }
}

extension ServiceMode.Event {
    var caption: String {
        switch self {
        case .keyTurned: "key turned"
        case .keyReleased: "key released"
        case .requested: "requested"
        case .givenBack: "given back"
        case .testRequested: "test requested"
        case .idled: "gate idle"
        case .rotorMoved: "rotor moved"
        case .laneCleared: "lane cleared"
        case .blocked: "stopped"
        case .ended: "emergency"
        case .failed: "output fails"
        case .cut: "output cut"
        case .timePassed: "time passed"
        }
    }
}

extension ServiceMode.Command {
    var caption: String {
        switch self {
        case .request: "request"
        case .start: "start"
        case .end: "end"
        case .reportTestFailed: "report test failed"
        case .reportTestFinished: "report test finished"
        case .reportTestAborted: "report test aborted"
        }
    }
}

extension BeamWatch.Event {
    var caption: String {
        switch self {
        case .changed(isBroken: true, _): "broken"
        case .changed(isBroken: false, _): "free"
        case .timePassed: "time passed"
        }
    }
}

extension ArmWatch.Event {
    var caption: String {
        switch self {
        case .changed(isHome: true, sensorsAtRest: true, _): "arm and sensors at rest"
        case .changed(isHome: true, sensorsAtRest: false, _): "only the arm at rest"
        case .changed(isHome: false, sensorsAtRest: true, _): "only the sensors at rest"
        case .changed(isHome: false, sensorsAtRest: false, _): "turning"
        case .suspended: "let drop"
        case .timePassed: "time passed"
        }
    }
}

extension LockWatch.Event {
    var caption: String {
        switch self {
        case .changed(let isCommanded, let isReleased, _, _):
            isCommanded == isReleased ? "as commanded" : "not as commanded"
        case .timePassed: "time passed"
        }
    }
}

extension LockWatch.Command {
    var caption: String {
        switch self {
        case .reportNotResponding: "report not responding"
        case .reportFollowing: "report following"
        }
    }
}

extension OnDelay.Event {
    var caption: String {
        switch self {
        case .appeared: "person in the rotor"
        case .vanished: "nobody in the rotor"
        case .hastened: "hastened"
        case .timePassed: "time passed"
        }
    }
}
