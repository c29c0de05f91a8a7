// What of Linux the toolchain's Glibc module leaves out.
#include <linux/magic.h>
#include <linux/sched.h>
#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/statfs.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/utsname.h>

// What its headers declare only for programs in GNU's dialect of C.
#include <pthread.h>
#include <time.h>
int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock,
                         const struct timespec *limit);
// By the clock on the wall: see `WorkerThread.join(within:)`.
int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *limit);
int unshare(int flags);
int renameat2(int folder, const char *path, int other_folder, const char *other,
              unsigned int flags);

// A call of any arguments, which Swift does not make: no pages of this process are put together.
static inline int forgo_huge_pages(void) {
    return prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
}
