// Standard input and standard output, which these tests replace by files and pipes.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "io_test_util.h"
#include "io_testdata.h"

namespace fsieve::io_test {
namespace {

// Puts a descriptor in the place of another for the life of this object.
class Replaced {
 public:
  Replaced(int descriptor, int by) : descriptor_(descriptor), saved_(::dup(descriptor)) {
    ::dup2(by, descriptor_);
  }
  Replaced(const Replaced&) = delete;
  Replaced& operator=(const Replaced&) = delete;
  ~Replaced() {
    ::dup2(saved_, descriptor_);
    ::close(saved_);
  }

 private:
  int descriptor_;
  int saved_;
};

class IoStdinTest : public IoTest {
 protected:
  // Opens "-" while `bytes` come through a pipe.
  std::unique_ptr<Source> open_piped(const std::string& bytes, const ReadOptions& options = {},
                                     std::size_t memory = RunContext{}.memory) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    std::thread writer([&] {
      std::size_t done = 0;
      while (done < bytes.size()) {
        const ssize_t written = ::write(ends[1], bytes.data() + done, bytes.size() - done);
        if (written <= 0) break;
        done += static_cast<std::size_t>(written);
      }
      ::close(ends[1]);
    });
    std::unique_ptr<Source> table;
    std::exception_ptr failure;
    {
      const Replaced input(STDIN_FILENO, ends[0]);
      try {
        table = open("-", options, memory);
      } catch (...) {
        failure = std::current_exception();
      }
    }
    ::close(ends[0]);
    writer.join();
    if (failure) std::rethrow_exception(failure);
    return table;
  }
};

TEST_F(IoStdinTest, ManyPassesOverAPipe) {
  std::string text = "a,b\n";
  for (int i = 0; i < 100000; ++i) text += std::to_string(i) + ",red\n";
  const auto table = open_piped(text, {}, 0);
  EXPECT_EQ(table->rows(), 100000U);
  EXPECT_EQ(values(*table), values(*table));
  EXPECT_EQ(values(*table)[0][99999], 99999);
}

TEST_F(IoStdinTest, CompressedAndBinary) {
  EXPECT_EQ(values(*open_piped(from_base64(kTwoMembersGzip))), (Columns{{1, 3}, {2, 4}}));
  ReadOptions options;
  options.columns = {"big"};
  EXPECT_EQ(open_piped(from_base64(kTypesParquet), options)->rows(), 4U);
}

TEST_F(IoStdinTest, ErrorsNameTheInput) {
  EXPECT_EQ(message([&] { open_piped("a,b\n1,2\n3\n"); }),
            "standard input: row 2: expected 2 fields, found 1");
  EXPECT_EQ(message([&] { open_piped(""); }), "standard input: the file is empty");
}

TEST_F(IoStdinTest, NamedPipe) {
  const std::string pipe = path("pipe.csv");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << "a,b\n1,2\n"; });
  const auto table = open(pipe);
  writer.join();
  EXPECT_EQ(values(*table), (Columns{{1}, {2}}));
}

TEST_F(IoStdinTest, StandardOutputIsCsv) {
  const auto table = open(file("a.csv", "a,b\n1,x\n2,y\n"));
  const std::string target = path("out");
  const int out = ::open(target.c_str(), O_WRONLY | O_CREAT, 0600);
  {
    const Replaced output(STDOUT_FILENO, out);
    NoProgress progress;
    write_table("-", *table, {1, 0}, progress);
  }
  ::close(out);
  EXPECT_EQ(contents(target), "b,a\nx,1\ny,2\n");
}

}  // namespace
}  // namespace fsieve::io_test
