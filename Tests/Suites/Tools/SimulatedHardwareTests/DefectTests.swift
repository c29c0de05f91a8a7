import Testing

@testable import SimulatedHardware

/// What is broken is told from all else that may break.
@Suite struct DefectTests {
    @Test(arguments: Defect.all) func `a defect is there until it is repaired`(defect: Defect) {
        var scene = Scene()
        #expect(scene.world.defects.isEmpty)
        scene.at(0, .defectAppeared(defect))
        #expect(!scene.world.defects.isEmpty)
        #expect(Array(scene.world.defects) == [defect])
        #expect(Defect.all.filter(scene.world.defects.contains) == [defect])
        scene.at(0, .defectRepaired(defect))
        #expect(scene.world.defects == Defects())
        #expect(Array(scene.world.defects) == [])
    }

    @Test(arguments: Defect.all) func `a defect has all others beside it`(defect: Defect) {
        let others = Defects(Defect.all.filter { $0 != defect })
        #expect(others.isDisjoint(with: Defects([defect])))
        #expect(!others.isDisjoint(with: Defects(Defect.all)))
        #expect(!Defects([defect]).isDisjoint(with: Defects(Defect.all)))
    }
}
