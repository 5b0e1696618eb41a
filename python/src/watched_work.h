// Long work beside Python: other Python threads run on, Ctrl-C ends it, progress is shown.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>

#include "fsieve/progress.h"

namespace fsieve::python {

// Runs `work` without the interpreter lock on a thread of its own. Python handles signals on its
// main thread only, and the work reports from any: so the calling thread waits here, looks for
// signals, and calls `show(what, done, total)` where that is not None. When one of the two raises,
// the work is asked to stop and the exception goes on to the caller.
void watch(const nanobind::object& show, const std::function<void(Progress&)>& work);

}  // namespace fsieve::python
