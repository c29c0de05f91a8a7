// What of Linux the toolchain's Glibc module leaves out.
#include <sys/timerfd.h>
