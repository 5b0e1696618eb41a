// Large arrays, wherever they lie.
#include "base/buffer.h"

#include <gtest/gtest.h>

#include <limits>
#include <new>
#include <utility>

#include "base/large_pages.h"

namespace fsieve {
namespace {

TEST(Buffer, HoldsWhatIsWritten) {
  constexpr std::size_t page = large_page / sizeof(double);
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, page / 2 - 1, page / 2, page - 1, page, page + 1,
        page + page / 2, 2 * page - 1, 2 * page, 3 * page + 5}) {
    Buffer buffer(size);
    ASSERT_EQ(buffer.size(), size);
    for (std::size_t i = 0; i < size; ++i) buffer.data()[i] = static_cast<double>(i);
    const Buffer copy = buffer;
    const Buffer moved = std::move(buffer);
    for (std::size_t i = 0; i < size; ++i) {
      ASSERT_EQ(copy.data()[i], static_cast<double>(i));
      ASSERT_EQ(moved.data()[i], static_cast<double>(i));
    }
  }
  EXPECT_THROW(Buffer(std::numeric_limits<std::size_t>::max() / 8 + 2), std::bad_alloc);
}

}  // namespace
}  // namespace fsieve
