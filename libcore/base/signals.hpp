#pragma once

namespace ringside {

// From here on the first Ctrl-C (or SIGTERM, or SIGHUP) only sets a flag, so that what is finished can be
// written, and the second ends the process at once with status 130. A second SIGHUP does not: when a terminal
// goes, both the shell and the kernel send one. A signal that the parent had set to be ignored stays ignored
// (nohup, background jobs). SIGPIPE is not handled here: see ignore_signals_of_writing().
// `notice` (a literal; may be null) is written to stderr by the handler itself, as soon as the first one
// comes.
void install_interrupt_handlers(const char* notice = nullptr);

// Whether a first signal has come.
bool interrupt_requested() noexcept;

// A closed pipe shows as EPIPE from write(), and a file beyond its limit (ulimit -f) as EFBIG, instead of
// ending the process.
void ignore_signals_of_writing();

// A supervisor that ignores SIGCHLD hands that on to its children; none of ours could then be waited for.
void restore_sigchld();

}  // namespace ringside
