// Cells for kernels that read them block by block, with the arrays they lie in.
#pragma once

#include <memory>
#include <vector>

#include "bind.hpp"
#include "weaklearn/columns/cells.hpp"

namespace weaklearn::bind {

struct Held {
  std::unique_ptr<Cells> cells;
  std::vector<nb::object> arrays;
};

}  // namespace weaklearn::bind
