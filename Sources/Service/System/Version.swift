/// The version of the programs of this package, which are released together.
public let programVersion = "0.2.0"
