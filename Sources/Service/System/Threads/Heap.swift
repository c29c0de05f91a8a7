internal import CLinux
internal import Glibc

/// The process's memory, preallocated so that no thread ever waits for a disk that hangs.
///
/// A thread that writes to a mapped file, as SQLite does, holds the lock of the address space
/// until the disk takes the page (Linux 6.1). A thread that changes the address space waits for
/// it, and a page fault of any thread, the loop too, waits behind that. So the heap is reserved at
/// the start, which takes addresses and no memory, and neither grows nor shrinks from then on. The
/// kernel may not merge pages either, which changes the address space as well.
///
/// This is so on 64 bits; on 32 a thread's heap has 1 MiB, and grows.
public enum Heap {
    /// The room of the heap, and of each thread's. More than all that waits for a disk takes, and
    /// less than the 64 MiB that glibc lets a thread's have.
    public static let room = 24 << 20

    /// More than there are threads, whatever the environment says: each has its own heap.
    private static let mostHeaps: CInt = 16

    /// Has the heap begin with its room, and each thread's that is started later. It is for the
    /// first thread, before there are others.
    public static func reserve() {
        // Best effort: the gate works without it.
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
        // Sound: the memory is not accessed, and freeing NULL is allowed. The query of its size
        // keeps the compiler from removing the allocation.
        let memory = unsafe malloc(bytes)
        _ = unsafe malloc_usable_size(memory)
        unsafe free(memory)
    }
}
