// Templates, exceptions, virtual calls, destructors, lambdas, constructors of globals.
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace shapes {
struct Shape {
  virtual ~Shape() {}
  virtual int area(int n) const = 0;
};
struct Square : Shape {
  int area(int n) const override { return n > 3 ? n * n : 0; }
};
struct Line : Shape {
  int area(int n) const override {
    if (n == 2) throw std::runtime_error("two");
    return n;
  }
};
}  // namespace shapes

template <typename T>
__attribute__((noinline)) T largest(const std::vector<T> &all) {
  T best = T();
  for (const T &x : all)
    if (best < x) best = x;
  return best;
}

struct Counted {
  static int alive;
  Counted() { alive++; }
  ~Counted() { alive--; }
};
int Counted::alive;

static std::map<std::string, int> table = {{"one", 1}, {"two", 2}};

__attribute__((noinline)) int guarded(const shapes::Shape &s, int n) {
  Counted c;
  try {
    Counted d;
    return s.area(n) + (n ? largest<int>({n, 2, 3}) : 0);
  } catch (const std::runtime_error &e) {
    return -n;
  }
}

int overloaded(int x) { return x > 0 ? x : 0; }
int overloaded(const std::string &s) { return s.empty() ? 1 : static_cast<int>(s.size()); }

int main() {
  shapes::Square square;
  shapes::Line line;
  int sum = 0;
  for (int i = 0; i < 5; i++) sum += guarded(square, i) + guarded(line, i);
  sum += largest<std::string>({"a", "b"}).size();
  auto add = [&](int n) { return n > 2 ? sum + n : sum - n; };
  sum = add(2) + add(3) + overloaded(sum) + overloaded("text");
  for (auto &entry : table) sum += entry.second;
  std::printf("%d %d\n", sum, Counted::alive);
  return 0;
}
