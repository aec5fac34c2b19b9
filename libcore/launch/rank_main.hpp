#pragma once

#include "worker/session.hpp"

namespace ringside {

// The whole life of a rank process; argv as RankProcess builds it. Returns the exit status.
int rank_main(int argc, char** argv, const SessionFactory& make_session);

}  // namespace ringside
