#include "base/stop.h"

#include <utility>

#include "fsieve/error.h"

namespace fsieve {
namespace {

thread_local const StopScope* scope_of_thread = nullptr;

}  // namespace

void StopFlag::interrupt() { throw Error("interrupted", Error::Kind::interrupted); }

StopScope::StopScope(const StopFlag& flag)
    : flag_(flag), outer_(std::exchange(scope_of_thread, this)) {}

StopScope::~StopScope() { scope_of_thread = outer_; }

const StopScope* StopScope::current() { return scope_of_thread; }

WithinScope::WithinScope(const StopScope* scope) : before_(std::exchange(scope_of_thread, scope)) {}

WithinScope::~WithinScope() { scope_of_thread = before_; }

}  // namespace fsieve
