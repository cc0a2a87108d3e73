/* Makes every fsync and fdatasync take SLOW_FSYNC_MS milliseconds longer, as a slow disk would:
   the caller sleeps, as it does while a disk writes, and takes no CPU time. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static int slowly(const char *name, int file) {
    const char *wanted = getenv("SLOW_FSYNC_MS");
    long ms = wanted ? atol(wanted) : 0;
    struct timespec pause = {ms / 1000, ms % 1000 * 1000000L};
    nanosleep(&pause, NULL);
    return ((int (*)(int))dlsym(RTLD_NEXT, name))(file);
}

int fsync(int file) { return slowly("fsync", file); }
int fdatasync(int file) { return slowly("fdatasync", file); }
