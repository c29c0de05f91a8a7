import BusInterface

/// The introspection data of the service's objects, in the XML of D-Bus.
enum Introspection {
    static let interface = "org.freedesktop.DBus.Introspectable"

    private static let head = """
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">

        """

    /// The data of the object at `path`, for a gate with these methods; nil for an unknown path.
    static func text(at path: String, _ methods: [GateMethod]) -> String? {
        if path == GateInterface.path {
            return head + "<node>\n\(standard)\(gate(methods))</node>\n"
        }
        // The objects above the gate only name the one below.
        let prefix = path == "/" ? path : path + "/"
        guard !path.isEmpty, GateInterface.path.hasPrefix(prefix) else { return nil }
        let name = GateInterface.path.dropFirst(prefix.count).prefix { $0 != "/" }
        return head + "<node>\n <node name=\"\(name)\"/>\n</node>\n"
    }

    private static func gate(_ methods: [GateMethod]) -> String {
        var lines = [" <interface name=\"\(GateInterface.name)\">"]
        for method in methods {
            lines.append("  <method name=\"\(method.name)\">")
            lines += method.arguments.map { argument($0, " direction=\"in\"") }
            lines += method.results.map { argument($0, " direction=\"out\"") }
            lines.append("  </method>")
        }
        for property in GateProperty.all {
            let change = "org.freedesktop.DBus.Property.EmitsChangedSignal"
            lines += [
                "  <property name=\"\(property.name)\" type=\"\(property.signature)\""
                    + " access=\"read\">",
                "   <annotation name=\"\(change)\" value=\"\(property.change.rawValue)\"/>",
                "  </property>",
            ]
        }
        for signal in GateInterface.signals {
            lines.append("  <signal name=\"\(signal.name)\">")
            lines += signal.arguments.map { argument($0, "") }
            lines.append("  </signal>")
        }
        return lines.joined(separator: "\n") + "\n </interface>\n"
    }

    @inline(never) private static func argument(
        _ argument: BusArgument, _ direction: String
    ) -> String {
        "   <arg name=\"\(argument.name)\" type=\"\(argument.signature)\"\(direction)/>"
    }

    private static let standard = """
         <interface name="org.freedesktop.DBus.Peer">
          <method name="Ping"/>
          <method name="GetMachineId">
           <arg name="machine_uuid" type="s" direction="out"/>
          </method>
         </interface>
         <interface name="\(interface)">
          <method name="Introspect">
           <arg name="xml" type="s" direction="out"/>
          </method>
         </interface>
         <interface name="\(GateInterface.properties)">
          <method name="Get">
           <arg name="interface" type="s" direction="in"/>
           <arg name="name" type="s" direction="in"/>
           <arg name="value" type="v" direction="out"/>
          </method>
          <method name="GetAll">
           <arg name="interface" type="s" direction="in"/>
           <arg name="values" type="a{sv}" direction="out"/>
          </method>
          <method name="Set">
           <arg name="interface" type="s" direction="in"/>
           <arg name="name" type="s" direction="in"/>
           <arg name="value" type="v" direction="in"/>
          </method>
          <signal name="PropertiesChanged">
           <arg name="interface" type="s"/>
           <arg name="changed" type="a{sv}"/>
           <arg name="invalidated" type="as"/>
          </signal>
         </interface>

        """
}
