// The geometric mean of the leaves of a tree. The reverse sweep is a recursion
// that returns to each node with its value and leaves the adjoint of x; values
// below a node are kept on a stack, in the order in which they are computed.

#include <recursive_tree.h>

#include <cmath>
#include <vector>

double objective(double x, int64_t n) {
  if (n <= 0)
    return x;
  const double left = objective(std::sin(x), n - 1);
  const double right = objective(x, n - 1);
  return std::sqrt(left * right);
}

namespace {

// What reverse mode needs of a node: the cosine of x, and the values below.
struct Node {
  double cosine, left, right, root;
};

double forward(double x, int64_t n, std::vector<Node> &nodes) {
  if (n <= 0)
    return x;
  const double left = forward(std::sin(x), n - 1, nodes);
  const double right = forward(x, n - 1, nodes);
  const double root = std::sqrt(left * right);
  nodes.push_back({std::cos(x), left, right, root});
  return root;
}

double backward(double y_bar, int64_t n, std::vector<Node> &nodes) {
  if (n <= 0)
    return y_bar;
  const Node node = nodes.back();
  nodes.pop_back();
  const double product_bar = y_bar / (2 * node.root);
  const double right = backward(product_bar * node.left, n - 1, nodes);
  const double left = backward(product_bar * node.right, n - 1, nodes);
  return right + node.cosine * left;
}

} // namespace

double gradient(double x, int64_t n) {
  std::vector<Node> nodes;
  forward(x, n, nodes);
  return backward(1, n, nodes);
}
