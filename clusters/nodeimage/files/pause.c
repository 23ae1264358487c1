// The process of a pod's sandbox, and the container of a burst's pods: it holds
// the pod's namespaces, collects orphans, and ends at once when it is told to.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void end(int signal) {
  (void)signal;
  _exit(0);
}

static void collect(int signal) {
  (void)signal;
  while (waitpid(-1, 0, WNOHANG) > 0) {
  }
}

int main(void) {
  struct sigaction act = {.sa_handler = end};
  sigaction(SIGTERM, &act, 0);
  sigaction(SIGINT, &act, 0);
  act.sa_handler = collect;
  act.sa_flags = SA_NOCLDSTOP;
  sigaction(SIGCHLD, &act, 0);
  for (;;) {
    pause();
  }
}
