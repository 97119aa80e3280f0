// Structs of settings, whose fields Python sets by name.
#pragma once

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bind.hpp"

namespace weaklearn::bind {

// A Python integer of any size; beyond the type it is the largest there is.
template <class T>
T clipped(const nb::int_& value, const char* name) {
  int overflow = 0;
  const long long x = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
  if (overflow < 0 || (overflow == 0 && x < 0))
    throw std::invalid_argument(std::string(name) + " is negative");
  const auto most = static_cast<long long>(std::numeric_limits<T>::max());
  return overflow > 0 ? std::numeric_limits<T>::max() : static_cast<T>(std::min(x, most));
}

// A field that limits a number, where None is the value `none`.
template <class S, class C, class T>
void def_limit(nb::class_<S>& settings, const char* name, T C::* field, T none) {
  settings.def_prop_rw(
      name,
      [field, none](const S& self) {
        return self.*field == none ? std::optional<T>() : std::optional<T>(self.*field);
      },
      [field, none, name](S& self, const std::optional<nb::int_>& value) {
        self.*field = value ? clipped<T>(*value, name) : none;
      },
      nb::for_setter(nb::arg("value").none()));
}

// A field that is one of several names; `names` are in the order of the enumeration.
template <class S, class C, class E>
void def_choice(nb::class_<S>& settings, const char* name, E C::* field,
                std::vector<std::string> names) {
  settings.def_prop_rw(
      name, [field, names](const S& self) { return names[static_cast<size_t>(self.*field)]; },
      [field, names, name](S& self, std::string_view value) {
        const auto found = std::find(names.begin(), names.end(), value);
        if (found == names.end())
          throw std::invalid_argument(std::string(name) + " has no value " + std::string(value));
        self.*field = static_cast<E>(found - names.begin());
      });
}

// A field that lists numbers, where None is an empty list.
template <class S, class C, class T>
void def_list(nb::class_<S>& settings, const char* name, std::vector<T> C::* field) {
  settings.def_prop_rw(
      name, [field](const S& self) { return self.*field; },
      [field](S& self, const std::optional<Listed<T>>& value) {
        self.*field = value ? vector_of<T>(*value) : std::vector<T>();
      },
      nb::for_setter(nb::arg("value").none()));
}

}  // namespace weaklearn::bind
