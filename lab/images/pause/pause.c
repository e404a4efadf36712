/* Holds a pod's namespaces: waits for a signal, reaps orphans, ends at once when told to. Linked statically. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void end(int number) { _exit(number == SIGINT || number == SIGTERM ? 0 : 1); }
static void reap(int number) { (void)number; while (waitpid(-1, NULL, WNOHANG) > 0) continue; }

int main(void) {
  const struct sigaction ending = {.sa_handler = end}, reaping = {.sa_handler = reap, .sa_flags = SA_NOCLDSTOP};
  if (sigaction(SIGINT, &ending, NULL) || sigaction(SIGTERM, &ending, NULL) || sigaction(SIGCHLD, &reaping, NULL)) return 1;
  for (;;) pause();
}
