// Tells a day at the gate, for a check beside a telling on another processor.
import PortableStory

PortableStory.tell { print($0) }
