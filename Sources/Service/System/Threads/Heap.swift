internal import CLinux
internal import Glibc

/// What the process does with its memory, so that no thread ever waits for a disk that hangs.
///
/// Who writes to a file that is mapped, as SQLite does, holds the address space of the process
/// until the disk takes the page (Linux 6.1). Whoever then changes the address space waits
/// for that, and whoever has a page to be mapped waits behind it: the loop too. So the heap has
/// room from the start, which takes addresses and no memory, and neither grows nor shrinks from
/// then on. Nor does the kernel put pages together, for which it changes the address space as well.
///
/// This is so on 64 bits; on 32 a thread's heap has 1 MiB, and grows.
public enum Heap {
    /// The room of the heap, and of each thread's. More than all that waits for a disk takes, and
    /// less than the 64 MiB that glibc lets a thread's have.
    public static let room = 24 << 20

    /// More than there are threads, whatever the environment says: each has its own.
    private static let mostHeaps: CInt = 16

    /// Has the heap begin with its room, and each thread's that is started later. It is for the
    /// first thread, before there are others.
    public static func reserve() {
        // What cannot be had is left as it is: the gate works all the same.
        _ = forgo_huge_pages()
        mallopt(M_ARENA_MAX, mostHeaps)
        mallopt(M_TOP_PAD, CInt(room))
        mallopt(M_TRIM_THRESHOLD, CInt.max)
        mallopt(M_MMAP_MAX, 0)
        touch(room)
    }

    /// Has the thread that calls have its heap from now on.
    static func begin() { touch(1) }

    /// Takes `bytes` of memory, and gives them back.
    private static func touch(_ bytes: Int) {
        // Sound: nobody looks into the memory, and freeing none is nothing. Asked for its size, it
        // is not left out by the compiler.
        let memory = unsafe malloc(bytes)
        _ = unsafe malloc_usable_size(memory)
        unsafe free(memory)
    }
}
