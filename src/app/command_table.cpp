// What the commands are for, as --help and docs/options.md say it.
#include <algorithm>
#include <array>

#include "app/option_table.h"

namespace fsieve::inline app {
namespace {

constexpr std::array kCommands{
    CommandSpec{
        Command::reduce, "reduce",
        "remove the features that are functions of others, and say by which equation",
        "FILE [options]",
        "Walks through the features in order. A feature that products of the features kept so "
        "far\nexplain up to a remainder of norm epsilon is redundant: it goes, and its equation "
        "is shown.\n--method gfs and gfa choose greedily instead, by the variance that functions "
        "of "
        "the chosen\nfeatures leave. The label plays no part; --label only keeps it out of the "
        "features.",
        "fsieve reduce cars.csv|what is redundant in cars.csv?\n"
        "fsieve reduce cars.csv --label price -o small.csv --save result.json|keep the rest "
        "and the label\n"
        "fsieve reduce big.parquet --stages 1,2:40 --r2 0.95 --json|products of two, looser, "
        "for a program\n"
        "fsieve reduce cars.csv --method gfs --family polynomial:2 --epsilon2 0.05|the fewest "
        "columns, greedily, that leave at most 5 % of any other"},
    CommandSpec{
        Command::select, "select", "choose the features that predict a label best, together",
        "FILE --label COL -k K|certain [options]",
        "Takes features step by step: each step brings what explains most of the part of the label "
        "that\nthe features taken so far, and their products of up to --depth, do not explain. "
        "Features that\nare worth something only together (an exclusive-or) are found together; "
        "copies of a taken\nfeature are worth nothing. --search union is the published algorithm: "
        "all subsets of --depth\nfeatures are ranked, and the best ones united.\n"
        "The label may have two classes or more, of any spelling, or be a number.",
        "fsieve select mail.csv --label spam -k 10|the ten features that tell spam best\n"
        "fsieve select mail.csv --label spam -k auto|as many as the data convince of, with "
        "p-values\n"
        "fsieve select genes.parquet --label tumour -k 20 --depth 3 -o small.parquet|products of "
        "three; the chosen columns, label last\n"
        "fsieve select houses.csv --label price -k 5 --task regression --json|a number as label, "
        "for a program\n"
        "fsieve select bits.csv --label y -k 4 --depth 4 --search union|the best of all subsets of "
        "four"},
    CommandSpec{
        Command::learn, "learn",
        "find the few features that decide a label of two classes, and the rule",
        "FILE --label COL -k K [options]",
        "Scores every subset of K features by how well the best rule on it would predict the "
        "label, takes\nthe best one and writes the rule down: a formula, a table of all cases with "
        "their support, and\nthe Fourier coefficients. Features must have two values, of any "
        "spelling; a text column of more\nvalues counts as one feature per value "
        "(colour=red), and numbers are cut in two, at the\nmedian or where --binarize says.\n"
        "Features may depend on each other; --basis product is the paper's, for features that do "
        "not.",
        "fsieve learn votes.csv --label party -k 3|the three votes that tell the party best\n"
        "fsieve learn votes.csv --label party -k 3 -o model.json|keep the model, for `predict` and "
        "`show`\n"
        "fsieve learn heart.csv --label ill -k 2 --binarize mean|numbers "
        "are cut at their means\n"
        "fsieve learn bits.parquet --label y -k 5 --checkpoint run.json|a long search that can be "
        "stopped and gone on with"},
    CommandSpec{
        Command::predict, "predict", "let a learned model predict the rows of a file",
        "MODEL.json FILE [options]",
        "Writes FILE with two more columns: `prediction`, one of the two classes, and `score`, "
        "what the\nmodel computed before it took the sign. Columns are found by their names. "
        "Where FILE has the label,\nthe share of right predictions is said. Without -o: CSV on "
        "standard output.",
        "fsieve learn train.csv --label y -k 3 -o model.json|learn on one part\n"
        "fsieve predict model.json test.csv -o test_predicted.csv|predict on another\n"
        "fsieve predict model.json new.csv --unseen majority|new values get the more frequent "
        "class"},
    CommandSpec{
        Command::bounds, "bounds", "how many rows a guarantee of `learn` takes, in numbers",
        "[FILE] -k K -d D --epsilon E|--rows N [options]",
        "Says how many rows are enough for `fsieve learn` to come within E of the error of the "
        "best rule on\nK of D independent features, with probability 1 - delta; or, with --rows, "
        "which E that many rows\nguarantee. How uneven the features are counts as c_k: given by "
        "--ck, by --bias (the largest mean\nof the features as -1 and +1), or taken from FILE. "
        "These are worst cases: far fewer rows do\nin practice.",
        "fsieve bounds -k 3 -d 50 --epsilon 0.1|unbiased features\n"
        "fsieve bounds -k 3 -d 50 --epsilon 0.1 --bias 0.5 --delta 0.01|up to three quarters of "
        "the rows alike, 99 % sure\n"
        "fsieve bounds votes.csv --label party -k 3 --epsilon 0.1|the features of a file\n"
        "fsieve bounds -k 3 -d 50 --rows 1000000 --json|the way back, for a program"},
    CommandSpec{
        Command::report, "report",
        "one page to look at and pass on: redundancy, relevance, the rule",
        "FILE [--label COL] -o report.html [options]",
        "Runs `fsieve reduce`, with a label also `fsieve select`, and with a label of two classes "
        "`fsieve\nlearn`, and writes what they found as one file of HTML: sentences, a graph of "
        "the columns, tables\nto sort and search, pictures. The file opens in any browser, from "
        "disk, without a network; it holds\nthe results as JSON, which `fsieve show report.html` "
        "prints as text.",
        "fsieve report cars.csv -o cars.html|which columns say something new?\n"
        "fsieve report mail.csv --label spam -o mail.html|and which of them tell spam?\n"
        "fsieve report houses.csv --label price -k 5 -o houses.html|a number as label, five "
        "features\n"
        "fsieve show mail.html|the same as text\n"
        "fsieve report mail.csv --label spam --json|the results only, for a program"},
    CommandSpec{
        Command::apply, "apply", "keep the selected columns of another file",
        "RESULT.json FILE [options]",
        "Takes the selected features of a saved result and writes these columns of FILE, in the "
        "order of\nthe result, the label last when FILE has it. Without -o: CSV on standard "
        "output.",
        "fsieve reduce train.csv --label y --save result.json|select on the training part\n"
        "fsieve apply result.json test.csv -o test_small.csv|the same columns of the test part\n"
        "fsieve apply result.json test.parquet > test_small.csv|as CSV, to wherever"},
    CommandSpec{
        Command::show, "show", "print a saved result or model as a person reads it",
        "RESULT.json [options]",
        "Prints what `fsieve reduce`, `select` or `learn` printed when the result was saved. Of a "
        "page of\n`fsieve report` it prints the results that are in it.",
        "fsieve show result.json|the report\n"
        "fsieve show report.html|the results of a page, one after another\n"
        "fsieve show result.json --json|the same object on one line of a pipe"},
    CommandSpec{
        Command::generate, "generate",
        "write one of the papers' synthetic sets, with the truth beside it",
        "KIND -o FILE [options]",
        "KIND is one of\n"
        "  s1 s2 s3   10 informative features (normal, uniform, +-1), 10 triple products,\n"
        "             10 linear combinations, label y\n"
        "  e1 e2      20 independent features (+-1, normal), label y: the sign of a polynomial\n"
        "             of the first six\n"
        "  gfs        10 normals of growing variance and 20 products of two or three of them\n"
        "  gfa        10 normals of variance below 1 and 10 products of three (--pairs: of two)\n"
        "Rows are made in blocks, so any number of them fits. FILE.truth.json says what is what.",
        "fsieve generate s1 -o s1.csv|1000 rows of S1, and s1.csv.truth.json\n"
        "fsieve generate e2 --rows 5000 --seed 7 -o e2.parquet|another draw, as Parquet\n"
        "fsieve generate s3 --shuffle -o s3.npy|columns in random order"},
    CommandSpec{Command::demo, "demo", "a one-minute tour on built-in data", "[options]",
                "Runs `fsieve reduce` on a small table of cars that is built into the program and "
                "explains\nwhat is seen.",
                "fsieve demo|the tour\n"
                "fsieve demo -o cars.csv|the tour, and its table to play with"},
    CommandSpec{Command::options, "options", "print the table of options", "[--markdown|--json]",
                "", "fsieve options --markdown|docs/options.md", true},
};

}  // namespace

std::span<const CommandSpec> command_table() { return kCommands; }

const CommandSpec& spec_of(Command command) {
  return *std::find_if(kCommands.begin(), kCommands.end(),
                       [&](const CommandSpec& spec) { return spec.command == command; });
}

}  // namespace fsieve::app
