import StateMachines
import System
import Trace
import Turnstile

/// The data that the page draws. Times are in µs since the beginning.
struct PageData {
    private let equipment: Equipment
    private var raw: [LevelTrack]
    private var debounced: [LevelTrack]
    private var energised: [LevelTrack]
    private(set) var carried: OutputSet
    private var released: [LevelTrack]
    private var status: StateTrack
    private var regions: [StateTrack]
    private var credit = AmountTrack()
    private var passages = PassageList()
    private var records = RecordList()
    private var clocks: [(time: Int64, utc: Int64, offset: Int, wallOffset: Duration)] = []

    init(of equipment: Equipment, after step: ReplayedStep) {
        let snapshot = StepSnapshot(after: step)
        self.equipment = equipment
        raw = Input.allCases.map { LevelTrack(snapshot.raw[$0]) }
        debounced = Input.allCases.map { LevelTrack(snapshot.debounced[$0]) }
        carried = snapshot.energised
        energised = Output.allCases.map { LevelTrack(snapshot.energised[$0]) }
        released = Output.allCases.map { LevelTrack(snapshot.released[$0]) }
        status = StateTrack(snapshot.status, at: 0)
        regions = snapshot.states.map { StateTrack($0, at: 0) }
        credit.set(snapshot.credit, at: 0)
    }

    mutating func setClock(_ utc: Duration, _ wallOffset: Duration, _ offset: Int, at time: Int64) {
        if let last = clocks.last, (last.wallOffset, last.offset) == (wallOffset, offset) { return }
        clocks.append((time, utc.wholeMicroseconds, offset, wallOffset))
    }

    mutating func add(_ step: ReplayedStep, at time: Int64) {
        let snapshot = StepSnapshot(after: step)
        for input in Input.allCases {
            raw[input.index].set(snapshot.raw[input], at: time)
            debounced[input.index].set(snapshot.debounced[input], at: time)
        }
        setOutputs(snapshot.energised, at: time)
        for output in Output.allCases {
            released[output.index].set(snapshot.released[output], at: time)
        }
        status.set(snapshot.status, at: time)
        for index in regions.indices { regions[index].set(snapshot.states[index], at: time) }
        credit.set(snapshot.credit, at: time)
        if step.isStart { passages.forget(at: time) }
        for record in step.records {
            records.add(record, at: time)
            passages.follow(record, at: time)
        }
    }

    mutating func setOutputs(_ levels: OutputSet, at time: Int64) {
        carried = levels
        for output in Output.allCases { energised[output.index].set(levels[output], at: time) }
    }

    /// Hands over the data as an object of JSON that ends at this time, part by part.
    func write(gate: String, end: Int64, to write: (String) -> Void) {
        write("{\"gate\": \(gate.inJSON), \"program\": \("turnstiled \(programVersion)".inJSON)")
        write(", \"end\": \(end), \"clocks\": ")
        write(clocks.map { "[\($0.time), \($0.utc), \($0.offset)]" }.asJSONList)
        write(", \"inputs\": [")
        for (number, input) in equipment.wiredInputs.enumerated() {
            write("\(number > 0 ? "," : "")\n{\"name\": \(input.name.inJSON), \"raw\": ")
            write(raw[input.index].json)
            write(", \"debounced\": \(debounced[input.index].json)}")
        }
        write("],\n\"outputs\": [")
        for (number, output) in equipment.wiredOutputs.enumerated() {
            write("\(number > 0 ? "," : "")\n{\"name\": \(output.name.inJSON), \"energised\": ")
            write(energised[output.index].json)
            if output.isWay { write(", \"released\": \(released[output.index].json)") }
            write("}")
        }
        write("],\n\"regions\": [\n{\"name\": \"status\", \"track\": \(status.json)}")
        for (region, track) in zip(StepSnapshot.regions, regions) {
            write(",\n{\"name\": \(region.name.inJSON), \"track\": \(track.json)}")
        }
        write("],\n\"credit\": \(credit.json)")
        write(",\n\"passages\": \(passages.json(end: end)),\n\"records\": ")
        records.write(to: write)
        write("}")
    }
}

private struct PassageList {
    private var watch = PassageWatch()
    private var names = TextTable()
    private var begins = DeltaList()
    private var lengths = PlainList()
    private var kinds = PlainList()

    mutating func follow(_ record: Record, at time: Int64) {
        if let news = watch.follow(record, at: time) { add(news) }
    }

    mutating func forget(at time: Int64) {
        if let news = watch.forget(at: time) { add(news) }
    }

    private mutating func add(_ news: PassageWatch.News) {
        guard case .ended(let passage) = news else { return }
        begins.append(passage.began)
        lengths.append(Int(passage.ended - passage.began))
        let parts = [passage.direction.rawValue.inJSON, passage.outcome.inJSON]
        kinds.append(names.place(ofJSON: parts.asJSONList))
    }

    /// The list in JSON, including passages that have not ended.
    func json(end: Int64) -> String {
        var list = self
        list.forget(at: end)
        return """
            {"names": \(list.names.json), "times": \(list.begins.json), \
            "lengths": \(list.lengths.json), "kinds": \(list.kinds.json)}
            """
    }
}

private struct RecordList {
    private var kindTable = TextTable()
    private var sentenceTable = TextTable()
    private var fieldTable = TextTable()
    private var times = DeltaList()
    private var kinds = PlainList()
    private var sentences = PlainList()
    private var fields = PlainList()

    mutating func add(_ record: Record, at time: Int64) {
        let (entry, sentence) = record.entry
        times.append(time)
        let kind = [record.name.inJSON, "\(entry.priority.rawValue)"]
        kinds.append(kindTable.place(ofJSON: kind.asJSONList))
        sentences.append(sentenceTable.place(of: sentence))
        fields.append(fieldTable.place(ofJSON: record.fields.description))
    }

    func write(to write: (String) -> Void) {
        write("{\"kindNames\": \(kindTable.json), \"sentenceTexts\": ")
        write(sentenceTable.json)
        write(", \"fieldObjects\": \(fieldTable.json),\n\"times\": \(times.json),\n\"kinds\": ")
        write(kinds.json + ", \"sentences\": " + sentences.json + ", \"fields\": ")
        write(fields.json + "}")
    }
}
