#include "cli/run.h"

int main(int argc, char** argv) { return fsieve::cli::run({argv + 1, argv + argc}); }
