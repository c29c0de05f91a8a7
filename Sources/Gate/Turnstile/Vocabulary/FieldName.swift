/// The meaning of a field's value. The names are published and never change their meaning.
public enum FieldName: String, CaseIterable, Hashable, Sendable {
    // Fields of every record in the journal.

    /// The kind of entry.
    case event
    /// The state of the gate after it.
    case state
    /// The credit, in minor units of the currency; in the journal, that after the event.
    case credit
    /// A command of the gate; one field for each.
    case command

    // Records.

    /// The code of the alarm or fault, which a technician looks up: `A1`, `F7`.
    case code
    /// The alarm that it is about.
    case alarm
    /// The request: `grant`, `reset_emergency`.
    case request
    /// The requester: `contact`, `schedule`, `settings`, `person`.
    case requester
    /// The name of the operator.
    case `operator`
    /// The operator's number.
    case operatorNumber = "operator_number"
    /// Why a request was refused, or why coins are.
    case refusal
    /// The fault that it is about.
    case fault
    /// The line that it is about, by its role.
    case line
    /// The way: `entry`, `exit`.
    case direction
    /// The mode of the direction from now on: `locked`, `controlled`, `free`.
    case mode
    /// The enforcement from now on: `weak`, `strong`.
    case enforcement
    /// The source of a passage's authorisation: `credit`, `contact`, `person`, `free`.
    case authorisation
    /// The assumption about a passage that was interrupted when the service stopped: `made`,
    /// `not_made`, `under_way`.
    case assumption
    /// The kind of a passage: `paid`, `free`, `service`, `emergency`, `unauthorised`.
    case kind
    /// The coin acceptor: 1, 2 or 3.
    case acceptor
    /// An amount, in minor units of the currency.
    case value
    /// The number of pulses of a coin.
    case pulses
    /// The number of things that it is about.
    case count
    /// A time, in microseconds; negative for a clock that was set back.
    case duration = "duration_usec"

    // Fields of other entries of the shell.

    /// A register and its value since the gate's beginning, `name=value`; one field for each.
    case register
    /// The same since the coins were last collected.
    case collected
    /// Why the registers were written down: `interval`, `collection`, `stop`.
    case occasion
    /// A key of the configuration: `passage.pass_wait`.
    case key
    /// The key's previous value, as the file writes it; absent if the key was.
    case old
    /// The key's new value, likewise.
    case new
    /// The number of things that were lost.
    case lost
    /// The name of the hardware, or an error's whole sentence.
    case detail
    /// The name of a gate.
    case gate
    /// Which ledger it is: 32 hexadecimal digits.
    case ledger

    // Parts of other values.

    /// The name of a value that has fields of its own.
    case name
    /// When it happened, in nanoseconds of monotonic time.
    case time = "time_nsec"
    /// The inputs that are active.
    case active
    /// Whether the line is active now.
    case isActive = "is_active"
    /// How a line failed.
    case failure
    /// The time of the week: seconds since Monday, 0:00.
    case weekSecond = "week_second"
    /// By how much the clock was set, in nanoseconds; back is negative.
    case step = "step_nsec"
    /// A policy.
    case policy
    /// The money held for people.
    case balances
    /// The record to write.
    case record
    /// The result of a request: `done`, `deferred`, `refused`.
    case result
    /// Which output.
    case output
    /// Until when, in nanoseconds of monotonic time.
    case until = "until_nsec"
    /// For how much longer an activation would have had to last that was too short.
    case missing = "missing_nanoseconds"
    /// Until when its time adds to the next one.
    case restUntil = "rest_until_nsec"
    /// The fare of a passage that is not over.
    case fareInUse = "fare_in_use"
    /// Whether the passage that it paid for has begun.
    case isFareBegun = "fare_begun"
    /// The coins that were counted and are not credited yet.
    case counted
    /// The number of queued authorisations, all unpaid.
    case stored
    /// A restriction that the state does not show.
    case limitation
    /// Whether the siren or the buzzer sounds.
    case soundsAlarm = "sounds_alarm"

    /// In a few words.
    case status
    /// The gate's state; the first that applies.
    case standing
    /// How many authorisations are held.
    case held
    /// The requester of service mode.
    case serviceRequester = "service_requester"
    /// The requester of a pending policy.
    case policyRequester = "policy_requester"
    /// The requester of the policy in force, unless it is the settings'.
    case policySource = "policy_source"
    /// The faults that are up.
    case faults
    /// The alarms that are up.
    case alarms
    /// The wired lines.
    case equipment
    /// The inputs.
    case inputs
    /// The outputs.
    case outputs
    /// The pending timeouts, the next first.
    case due
    /// Why it is due.
    case reason
    /// Whether the lock is released now.
    case isReleased = "is_released"
    /// Whether a person is on the way through.
    case isPassing = "is_passing"
    /// How many wait for their turn by a contact.
    case waitingByContact = "waiting_by_contact"
    /// The number of waiting passengers whom operators authorised.
    case waitingByPerson = "waiting_by_person"
    /// The requested mode or enforcement.
    case term
    /// Whether it waits until the gate is idle.
    case awaited
    /// The value that comes into force as soon as the gate is idle.
    case next
    /// Since when, in nanoseconds of monotonic time.
    case since = "since_nsec"
    /// What ends it: its cause, the key or a time.
    case end
    /// Whether the output is on.
    case isOn = "is_on"

    /// The version of the service.
    case serviceVersion = "service_version"
    /// The version of the vocabulary.
    case vocabulary
    /// Which boot of the machine it was.
    case boot
    /// Whether the gate is simulated.
    case isSimulated = "is_simulated"
    /// The settings, as they were written.
    case settings

    // The state that outlives the process.

    /// Whether there was an emergency that was not reset; in the machine, the stage of one.
    case emergency
    /// Whether the mechanic had the gate.
    case serviceMode = "service_mode"
    /// The passage in progress.
    case passage
    /// The unpaid authorisation in use, whose passenger had not come.
    case released
    /// The passenger who had paid and had not come yet.
    case payer
    /// How many were let in by contact and had not come yet.
    case contactsEntry = "contacts_entry"
    /// How many were let out likewise.
    case contactsExit = "contacts_exit"
    /// Passengers authorised by operators, who had not come yet.
    case granted
    /// The requested mode of the way in.
    case modeEntry = "mode_entry"
    /// The same of the way out.
    case modeExit = "mode_exit"
    /// The same of the enforcement.
    case enforcementTerm = "enforcement_term"

    // Events, commands and states of the shell's machines.

    /// Whether an output or a coil is, or should be, energised.
    case isEnergised = "is_energised"
    /// When that happened for which an output is driven, in nanoseconds of monotonic time.
    case cause = "cause_nsec"
    /// The finding of a lock's check: `no_power`, `held`, `moved`, `not_moved`.
    case finding
    /// How long a lock is pulled, in nanoseconds.
    case pull = "pull_nanoseconds"
    /// Whether the coil that pulls has power.
    case isPulled = "is_pulled"
    /// The inputs that were heard to be active.
    case heard
    /// The inputs that the gate takes for active.
    case taken
    /// The situation of the gate, as far as a restart of the service would affect people.
    case situation
    /// The time between two looks, two entries of the registers or two processes, in nanoseconds.
    case interval = "interval_nanoseconds"
    /// The state that outlives the process.
    case retained
    /// The wall clock's time, in nanoseconds since 1970-01-01, 0:00 UTC.
    case utc = "utc_nanoseconds"
    /// A time of day on the clock on the wall, in minutes since midnight.
    case timeOfDay = "time_of_day_minutes"
    /// The offset of local time from UTC, in seconds.
    case utcOffset = "utc_offset_seconds"
    /// For how long an output may be energised at a time, in nanoseconds.
    case maximumOnTime = "maximum_on_nanoseconds"
    /// The level that a line did not take, to be driven at the next check.
    case pendingLevel = "pending_level"
    /// When an output will have been on for as long as it may, in nanoseconds of monotonic time.
    case limit = "limit_nsec"
    /// Whether it was said that the limit is near.
    case isWarned = "is_warned"
    /// Whether a look found that the line carries another level.
    case isAstray = "is_astray"
    /// When an output was last de-energised, in nanoseconds of monotonic time.
    case restStart = "rest_nsec"
    /// The limit that it had then, likewise.
    case restLimit = "rest_limit_nsec"
    /// The locks with two coils.
    case locks
    /// How a lock with two coils is driven: `at_rest`, `pulling`, `holding`.
    case drive
    /// Whether a held lock had lost power, and must be pulled again.
    case missedPower = "missed_power"
    /// The state of the lines' watch.
    case lineWatch = "line_watch"
    /// The time of the next check of the lines, in nanoseconds of monotonic time.
    case nextLook = "next_look_nsec"
    /// The lines that failed.
    case failed
    /// Those that had failed when the look began.
    case failedBefore = "failed_before"
    /// Recovered lines that the gate has not been told of.
    case recovered
    /// The inputs that carried another level at the last look than was heard.
    case suspects
    /// The state of the signs of life.
    case signsOfLife = "signs_of_life"
    /// How often no sign of life was given lately, and when last.
    case withheld
    /// When it happened last, in nanoseconds of monotonic time.
    case last = "last_nsec"
    /// Whether no sign of life is given now.
    case isWithholding = "is_withholding"
    /// The state of the records' store.
    case store
    /// Whether it was asked for an answer that it has not given.
    case isAsked = "is_asked"
    /// Whether it was asked since its answers were last taken.
    case isAskedAnew = "is_asked_anew"
    /// The state of the retention.
    case retention
    /// Whether the gate has been started.
    case hasBegun = "has_begun"
    /// The state of the registers' snapshots.
    case registers
    /// When they are written down next, in nanoseconds of monotonic time.
    case nextEntry = "next_entry_nsec"
    /// The state of the wall clock's watch.
    case clock
    /// The reference for its next reading.
    case reading

    // Policies, by the keys of the configuration.

    /// Keys of the policy, described in `Catalogue/Policies.swift`.
    case price, acceptors, values, unit, coins
    case pulseWidth = "pulse_width_usec"
    case trainQuiet = "train_quiet_usec"
    case stuckAfter = "stuck_after_usec"
    case meterUnit = "meter_unit"
    case regime, schedule, days
    case from = "from_minute"
    case to = "to_minute"
    case entry, exit
    case passWait = "pass_wait_usec"
    case maxStored = "max_stored"
    case onWaitTimeout = "on_wait_timeout"
    case overpay
    case coinWhileUnlocked = "coin_while_unlocked"
    case creditExpiry = "credit_expiry_usec"
    case lateCoinWindow = "late_coin_window_usec"
    case earlyCoinWindow = "early_coin_window_usec"
    case vaultFull = "vault_full"
    case relockAt = "relock_at"
    case passDelayAlarm = "pass_delay_alarm_usec"
    case tailgatingWindow = "tailgating_window_usec"
    case rotorStep = "rotor_step_usec"
    case beamBlocked = "beam_blocked_usec"
    case homeSettle = "home_settle_usec"
    case lockResponse = "lock_response_usec"
    case lockPull = "lock_pull_usec"
    case countPulse = "count_pulse_usec"
    case forcedPassage = "forced_passage"
    case alarmHold = "alarm_hold_usec"
    case contactStuckAfter = "contact_stuck_after_usec"
    case repairResumes = "repair_resumes"
    case serviceHold = "service_hold_usec"
    case fireReset = "fire_reset"
    case remoteEmergencyReset = "remote_emergency_reset"
    case remoteRepair = "remote_repair"
    case remoteService = "remote_service"

    // The state of the machine: see `Turnstile.snapshotVersion`.

    /// How far a part of the machine is.
    case phase
    /// The inputs' debounced levels.
    case contacts
    /// The inputs that are debounced by the machine.
    case debounced
    /// How long a level must last to count.
    case debounce = "debounce_usec"
    /// The filter of the rotor's sensors.
    case rotorFilter = "rotor_filter"
    /// The decoder of the rotor.
    case rotorDecoder = "rotor_decoder"
    /// The last states of the sensors.
    case sensors
    /// The states of the sensors that are not accepted yet.
    case shown
    /// Since when they are not at rest.
    case unrest
    /// Whether the first sensor is active.
    case sensorA = "sensor_a"
    /// Whether the second one is.
    case sensorB = "sensor_b"
    /// How many quarters of a passage the rotor has made.
    case quarters
    /// The decoder of the first acceptor.
    case acceptor1 = "acceptor_1"
    /// The same of the second one.
    case acceptor2 = "acceptor_2"
    /// The same of the third one.
    case acceptor3 = "acceptor_3"
    /// The noise of a coin line.
    case noise
    /// How a coin was received as it set out.
    case reception
    /// Whether the train was reported, in case no more pulses come.
    case isProvisional = "is_provisional"
    /// Whether it was ever said.
    case wasTold = "was_told"
    /// The pulse before the gap, or the part of an interrupted one.
    case lastPulse = "last_pulse"
    /// When a pulse began.
    case began = "began_nsec"
    /// When it ended.
    case ended = "ended_nsec"
    /// Whether it counts.
    case isGood = "is_good"
    /// The first gap between the pulses of a train.
    case firstGap = "first_gap_nanoseconds"
    /// Until when a coin that begins may have begun before.
    case missingUntil = "missing_until_nsec"
    /// A policy that waits until the gate is idle.
    case pending
    /// Whether the bank debounces inputs.
    case bankDebounces = "bank_debounces"
    /// For how long a lock is on in an emergency.
    case emergencyOn = "emergency_on_nanoseconds"
    /// For how long it is off then.
    case emergencyOff = "emergency_off_nanoseconds"
    /// The limit on the on-time of the entry lock.
    case entryDuty = "entry_duty"
    /// The same of the way out.
    case exitDuty = "exit_duty"
    /// Since when it is on.
    case onSince = "on_since"
    /// For how long outputs may be on.
    case maximumOnTimes = "max_on_times"
    /// Whether the gate has started.
    case hasStarted = "has_started"
    /// Where the rotor is.
    case rotor
    /// Whether it was said that the schedule waits.
    case isScheduleDeferred = "schedule_deferred"
    /// Whether a collection is not counted yet.
    case countAwaited = "count_awaited"
    /// The way through.
    case lane
    /// The direction in which, and the time until which, a second person counts as tailgating.
    case tailgating
    /// Whether further people may not pass.
    case isBlocked = "is_blocked"
    /// When a movement is decided.
    case movementKnown = "movement_known_nsec"
    /// Until when a back-out restarts the wait.
    case waitLimit = "wait_limit_nsec"
    /// Whether the direction of the movement is unknown.
    case isLost = "is_lost"
    /// Whether the middle was reached.
    case isPastMiddle = "is_past_middle"
    /// Whether the lock is engaged already.
    case isRelocked = "is_relocked"
    /// The credit, and how long it is held.
    case creditAccount = "credit_account"
    /// The state of the barrier for durable credit.
    case commitBarrier = "commit_barrier"
    /// The credit above the fare when the last fare was taken.
    case surplus
    /// The number of fares completed by coins that release the gate without a push.
    case newFares = "new_fares"
    /// Until when a coin may still be on its way.
    case lateUntil = "late_until_nsec"
    /// Until when an acceptor's pulses are its own.
    case earlyUntil = "early_until_nsec"
    /// Why coins are refused, as the log has it.
    case toldRefusal = "told_refusal"
    /// Service mode.
    case service
    /// Whether it was said that the output under test does not follow.
    case hasFailed = "has_failed"
    /// Whether one output is tested and no other.
    case testsOne = "tests_one"
    /// Those that are up.
    case up
    /// Those whose cause is present.
    case present
    /// Until when an outage that ends by itself leaves the gate's state unchanged.
    case outageEnd = "outage_end_nsec"
    /// Whether the lock of the way in follows.
    case entryLock = "entry_lock"
    /// Whether the lock of the way out does.
    case exitLock = "exit_lock"
    /// Whether the arm is where the sensors say.
    case arm
    /// Whether the rotor is at rest and the arm is not.
    case away
    /// Whether the arm is at rest and the sensors are not.
    case stuck
    /// Whether something stands in the light beams.
    case beams
    /// The watch for a person who stays in the rotor.
    case loiterer
    /// The contacts that are held.
    case heldContacts = "held_contacts"
    /// The requests of schedule and people.
    case timetable
    /// The schedule's modes.
    case scheduled
    /// When it may next ask for something else.
    case scheduleDeadline = "schedule_until_nsec"
    /// When the week began.
    case weekBegan = "week_began_nsec"
    /// The pulses still owed to the counters.
    case counters
    /// The counters of passages, of money, and of coins that are ejected.
    case passages, money, rejects
    /// How many pulses are to follow.
    case waiting
    /// The state of the previous gate.
    case past
    /// Where the ledger is: `none`, `awaited`, `open`, `holds`.
    case ledgerConnection = "ledger_connection"
    /// The knowledge about the previous gate: `nothing`, `unknown`, `state`.
    case recovery
    /// Whether the rotor was occupied at the start.
    case wasOccupied = "was_occupied"
    /// Whether a passage was over before the ledger was open.
    case isPassageOver = "is_passage_over"
    /// When the wait for a passenger who paid before the start is over.
    case payerUntil = "payer_until_nsec"
}
