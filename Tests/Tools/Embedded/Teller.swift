// Tells the portable story on a standard output, for a check beside this machine's telling.

/// The whole story.
@_cdecl("tell_story")
public func tellStory() { PortableStory.tell { print($0) } }
