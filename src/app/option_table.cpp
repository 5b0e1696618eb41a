#include "app/option_table.h"

#include <algorithm>
#include <array>

namespace fsieve::inline app {
namespace {

constexpr unsigned bit(Command command) { return static_cast<unsigned>(command); }

constexpr unsigned kReduce = bit(Command::reduce);
constexpr unsigned kSelect = bit(Command::select);
constexpr unsigned kApply = bit(Command::apply);
constexpr unsigned kShow = bit(Command::show);
constexpr unsigned kGenerate = bit(Command::generate);
constexpr unsigned kDemo = bit(Command::demo);
constexpr unsigned kOptions = bit(Command::options);
constexpr unsigned kLearn = bit(Command::learn);
constexpr unsigned kPredict = bit(Command::predict);
constexpr unsigned kBounds = bit(Command::bounds);
constexpr unsigned kReport = bit(Command::report);
// FILE is required
constexpr unsigned kTables = kReduce | kSelect | kApply | kLearn | kPredict | kReport;
constexpr unsigned kReaders = kTables | kBounds;
constexpr unsigned kAll = kReaders | kShow | kGenerate | kDemo;

constexpr std::string_view kInput = "Input and output";
constexpr std::string_view kData = "Data";
constexpr std::string_view kUffs = "Method uffs";
constexpr std::string_view kGreedy = "Methods gfs and gfa";
constexpr std::string_view kSearch = "Selection";
constexpr std::string_view kLearning = "Learning";
constexpr std::string_view kGuarantee = "Guarantee";
constexpr std::string_view kSet = "Synthetic set";
constexpr std::string_view kGeneral = "General";

// An option that some methods of `reduce` have.
constexpr OptionSpec only(std::string_view methods, OptionSpec option) {
  option.methods = methods;
  return option;
}

constexpr std::array kOptionTable{
    // Arguments.
    OptionSpec{"", "", "result", OptionType::file, "RESULT.json", "", "", kInput,
               "a result that `fsieve reduce --save` or `fsieve select --save` wrote", kApply, true,
               true},
    OptionSpec{"", "", "result", OptionType::file, "RESULT.json", "", "", kInput,
               "what `fsieve reduce --save`, `fsieve select --save`, `fsieve learn -o` or `fsieve "
               "report -o` wrote",
               kShow, true, true},
    OptionSpec{"", "", "model", OptionType::file, "MODEL.json", "", "", kInput,
               "a model that `fsieve learn -o` wrote", kPredict, true, true},
    OptionSpec{"", "", "file", OptionType::file, "FILE", "", "", kInput,
               "the table: .csv .tsv (also .gz, .zst) .parquet .feather .arrow .npy; a folder or a "
               "quoted pattern of such files with the same columns; - is standard input (CSV)",
               kTables, true, true},
    OptionSpec{"", "", "file", OptionType::file, "FILE", "", "", kInput,
               "a table whose features say what c_k is, and how many they are", kBounds, true},
    OptionSpec{"", "", "kind", OptionType::choice, "KIND", "", "s1|s2|s3|e1|e2|gfs|gfa", kInput,
               "which set", kGenerate, true, true},
    // Input and output.
    OptionSpec{"output", "o", "output", OptionType::file, "FILE", "", "", kInput,
               "write the reduced table; the extension says the format: .csv .tsv .csv.gz .csv.zst "
               ".parquet .feather .npy .json",
               kReduce | kApply},
    OptionSpec{"output", "o", "output", OptionType::file, "FILE", "", "", kInput,
               "write the selected columns in input order, the label last; the extension says the "
               "format: .csv .tsv .csv.gz .csv.zst .parquet .feather .npy .json",
               kSelect},
    OptionSpec{
        "output", "o", "output", OptionType::file, "FILE", "", "", kInput,
        "write the table; the extension says the format: .csv .tsv .csv.gz .csv.zst .parquet "
        ".feather .npy .json",
        kGenerate | kDemo},
    OptionSpec{
        "output", "o", "output", OptionType::file, "FILE.json", "", "", kInput,
        "write the model, for `predict` and `show` (what --json prints); - puts it on standard "
        "output instead of the report",
        kLearn},
    OptionSpec{"output", "o", "output", OptionType::file, "FILE.html", "", "", kInput,
               "write the page; required unless --json is given", kReport},
    OptionSpec{"output", "o", "output", OptionType::file, "FILE", "", "", kInput,
               "write the table with `prediction` and `score`; the extension says the format: .csv "
               ".tsv .csv.gz .csv.zst .parquet .feather .npy .json",
               kPredict},
    OptionSpec{
        "save", "", "save", OptionType::file, "FILE.json", "", "", kInput,
        "write the full result, for `show` and `apply` (what --json prints); - puts it on standard "
        "output instead of the report",
        kReduce | kSelect},
    OptionSpec{"table", "", "table", OptionType::file, "FILE.tsv", "", "", kInput,
               "write the ranking of all features, a line each; .tsv or .csv", kSelect},
    OptionSpec{"json", "", "json", OptionType::flag, "", "", "", kInput,
               "one JSON object on standard output instead of text", kAll | kOptions},
    OptionSpec{"markdown", "", "markdown", OptionType::flag, "", "", "", kInput,
               "a page of Markdown", kOptions},
    OptionSpec{"no-timing", "", "timing", OptionType::flag, "", "", "", kInput,
               "leave the timings out, so that equal runs give equal bytes", kAll},
    // Method.
    OptionSpec{
        "method", "", "method", OptionType::choice, "NAME", "uffs", "uffs|gfs|gfa", "Method",
        "how redundancy is judged; uffs: products of features, orthogonalised in order; gfs: "
        "again and again the feature of which functions of the chosen ones leave most; gfa: "
        "the one of largest variance among those they do not explain",
        kReduce},
    OptionSpec{"engine", "", "engine", OptionType::choice, "ENGINE", "auto", "auto|gram|sample",
               "Method",
               "gram: inner products of all functions, for many rows; sample: the functions "
               "themselves, for few rows or a tiny threshold",
               kReduce},
    OptionSpec{"no-equations", "", "equations", OptionType::flag, "", "", "", "Method",
               "do not look for the equations of removed features", kReduce},
    only("uffs",
         OptionSpec{
             "stages", "", "stages", OptionType::stages, "1,2:50,3:30", "auto", "", kUffs,
             "one run after another on what is left: products of up to DEPTH (1 to 6) features "
             "within groups of at most SIZE features, written DEPTH[:SIZE]; auto: depths 1, 2, 3 "
             "with the largest groups (up to 50 and 30) whose products number at most a quarter "
             "of the rows",
             kReduce}),
    only("uffs",
         OptionSpec{
             "epsilon", "", "epsilon", OptionType::numbers, "E[,E...]", "0.1", "", kUffs,
             "a standardised feature is redundant when what is left of it has at most this norm; "
             "between 0 and 1, one or one per stage",
             kReduce}),
    only("uffs",
         OptionSpec{"r2", "", "r2", OptionType::numbers, "R[,R...]", "", "", kUffs,
                    "the same as a share of variance explained: epsilon is the root of 1 - R",
                    kReduce}),
    only("uffs",
         OptionSpec{
             "rule", "", "rule", OptionType::rule, "adjusted|paper|cumulative:S[,S...]", "adjusted",
             "", kUffs,
             "adjusted: the norm is corrected for the degrees of freedom used up; paper: as "
             "printed; cumulative: keep the largest norms while their running share of the total "
             "is below S",
             kReduce}),
    only("uffs",
         OptionSpec{"order", "", "order", OptionType::choice, "ORDER", "auto",
                    "auto|input|variance|random", kUffs,
                    "which features are looked at first. auto: relations among the columns decide, "
                    "and where the columns stand in the file makes no difference (under --rule "
                    "paper and cumulative auto is input); input: as they stand; variance: largest "
                    "first",
                    kReduce}),
    only("uffs",
         OptionSpec{"relations", "", "relations", OptionType::flag, "", "", "", kUffs,
                    "list the relations found among the columns, also of kept ones", kReduce}),
    only("uffs",
         OptionSpec{"max-terms", "", "max_terms", OptionType::integer, "N", "12", "", kUffs,
                    "what a person reads: a feature whose equation is not exact goes only if so "
                    "many terms, the constant not counted, are enough (--rule adjusted)",
                    kReduce}),
    only("uffs", OptionSpec{"protect", "", "protect", OptionType::names, "COL,...", "", "", kUffs,
                            "never remove these columns", kReduce}),
    only("uffs",
         OptionSpec{"clusters", "", "clusters", OptionType::number, "R2", "", "", kUffs,
                    "instead of equations by several columns: groups of interchangeable columns, "
                    "of which every two explain at least this share of each other's variance; one "
                    "of each group stays",
                    kReduce}),
    only("uffs",
         OptionSpec{"groups", "", "groups", OptionType::choice, "any|own", "", "any|own", kUffs,
                    "test a feature against every group of kept features, or within its own run of "
                    "features; default any under --rule adjusted, own else",
                    kReduce}),
    only("uffs", OptionSpec{"prune", "", "prune", OptionType::flag, "", "", "", kUffs,
                            "redundant features bring no products (own groups only)", kReduce}),
    only("uffs",
         OptionSpec{"sample", "", "sample", OptionType::sample, "N|all", "", "", kUffs,
                    "prepare the decisions on N rows, chosen by --seed, and check them on all; "
                    "all: on all rows from the beginning; default: as many rows as tell, which are "
                    "all where they are few",
                    kReduce}),
    // Method gfs and gfa.
    only("gfs|gfa", OptionSpec{"family", "", "family", OptionType::family, "FAMILY",
                               "multilinear:2", "", kGreedy,
                               "functions by which features may depend on chosen ones. "
                               "multilinear:T: products of up to T different features; "
                               "multilinear+squares:T: and squares of single ones; polynomial:T: "
                               "all products of total degree up to T (1 to 6); functions: the "
                               "features and those given by --function",
                               kReduce}),
    only("gfs|gfa",
         OptionSpec{"function", "", "function", OptionType::expressions, "EXPR", "", "", kGreedy,
                    "a function of one or two chosen features, in the units of --scale: "
                    "letters a and b, numbers, + - * / ^, abs sqrt log exp sin cos tanh "
                    "sign min max; may be repeated",
                    kReduce}),
    only("gfs", OptionSpec{"epsilon2", "", "epsilon2", OptionType::number, "V", "0.01", "", kGreedy,
                           "gfs ends when no feature has more variance left", kReduce}),
    only("gfa", OptionSpec{"delta", "", "delta", OptionType::number, "D", "1e-5", "", kGreedy,
                           "gfa passes over features with less variance left", kReduce}),
    only("gfs|gfa", OptionSpec{"k", "k", "k", OptionType::integer, "K", "", "", kGreedy,
                               "choose at most K features", kReduce}),
    only("gfs|gfa",
         OptionSpec{"scale", "", "scale", OptionType::choice, "standard|none", "standard",
                    "standard|none", kGreedy,
                    "variances of standardised features, or in original units", kReduce}),
    only("gfs|gfa", OptionSpec{"no-constant", "", "constant", OptionType::flag, "", "", "", kGreedy,
                               "leave the constant function out of the family: products are not "
                               "centred",
                               kReduce}),
    // Selection.
    OptionSpec{
        "k", "k", "k", OptionType::count, "K|certain|auto", "auto", "", kSearch,
        "how many features; auto: as many as predict best in cross-validation, which may be none; "
        "certain: those that convince at level --alpha, which may be none (--search forward or "
        "beam)",
        kSelect},
    OptionSpec{"k", "k", "k", OptionType::count, "K|certain|auto", "auto", "", kSearch,
               "how many features are selected, as for `fsieve select`", kReport},
    OptionSpec{"depth", "", "depth", OptionType::integer, "T", "2", "", kSearch,
               "how many features are judged together: products of up to T; 1 to 6 where all "
               "features are discrete, 1 to 4 else",
               kSelect | kReport},
    OptionSpec{"search", "", "search", OptionType::search, "forward|union|beam:W", "forward", "",
               kSearch,
               "forward: step by step, in rounds; union: rank all subsets of T features and unite "
               "the best until K are in; beam: forward with the W best states of a step kept",
               kSelect},
    OptionSpec{"score", "", "score", OptionType::choice, "l1|l2", "l1", "l1|l2", kSearch,
               "of subsets under --search union; l1: how well the best rule on them would do; l2: "
               "squared correlations with their products, for subsets of 1 to T features",
               kSelect},
    OptionSpec{"reduce", "", "reduce", OptionType::reduction, "none|STAGES", "", "", kSearch,
               "first remove features that are functions of others, as `fsieve reduce --stages` "
               "does; default 1 under --search union, none else",
               kSelect},
    OptionSpec{"no-equations", "", "equations", OptionType::flag, "", "", "", kSearch,
               "do not look for the equations of features that --reduce removes", kSelect},
    OptionSpec{"bins", "", "bins", OptionType::integer, "Q", "", "", kSearch,
               "cut every numeric feature into Q (2 to 16) bins of about as many rows and use "
               "these as categories",
               kSelect},
    OptionSpec{"shape", "", "shape", OptionType::choice, "NAME", "curve", "plain|curve", kSearch,
               "what a numeric feature of more than two values brings to a forward or beam search; "
               "plain: its column; curve: also polynomials of its ranks, where they say more",
               kSelect},
    OptionSpec{"class-weight", "", "class_weight", OptionType::choice, "balanced", "", "balanced",
               kSearch, "let every class weigh the same, however few rows it has",
               kSelect | kReport},
    OptionSpec{"robust", "", "robust", OptionType::flag, "", "", "", kSearch,
               "a number as label enters a forward or beam search by its ranks, so that outliers "
               "do not count for more; with -k certain it always does",
               kSelect},
    OptionSpec{"keep", "", "keep", OptionType::names, "COL,...", "", "", kSearch,
               "take these features first, and the others given them; K counts them (--search "
               "forward or beam)",
               kSelect | kReport},
    OptionSpec{"adjust", "", "adjust", OptionType::names, "COL,...", "", "", kSearch,
               "judge everything given these columns (age, sex, batch), which are not selected "
               "themselves (--search forward or beam)",
               kSelect | kReport},
    OptionSpec{"group", "", "group", OptionType::groups, "NAME=GLOB,...", "", "", kSearch,
               "columns that go together: taken as one, and counted as one by K; may be repeated "
               "(--search forward)",
               kSelect},
    OptionSpec{"cost", "", "cost", OptionType::costs, "COL=C,...", "", "", kSearch,
               "what features cost, above 0; others cost 1. Gain per cost decides (--search "
               "forward)",
               kSelect},
    OptionSpec{"stability", "", "stability", OptionType::integer, "B", "0", "", kSearch,
               "repeat the selection on B half-samples and say how many of them chose each "
               "feature; 0: do not",
               kSelect | kReport},
    OptionSpec{"task", "", "task", OptionType::choice, "TASK", "", "classification|regression",
               kSearch,
               "whether the label names classes or is a number; default: a number unless it is "
               "text, has two values, or has at most 50 that are all whole",
               kSelect | kReport},
    OptionSpec{"top", "", "top", OptionType::integer, "N", "20", "", kSearch,
               "how many subsets are reported", kSelect},
    OptionSpec{
        "alpha", "", "alpha", OptionType::number, "A", "0.01", "", kSearch,
        "level at which features convince, between 0 and 1, where one is asked for: -k certain "
        "or --permutations",
        kSelect},
    OptionSpec{
        "permutations", "", "permutations", OptionType::integer, "B", "0", "", kSearch,
        "test steps by B shuffles of the rows instead of the tails of distributions; 0: do not",
        kSelect},
    OptionSpec{"scan-limit", "", "scan_limit", OptionType::number, "S", "1e12", "", kSearch,
               "leave a scan out, with a warning, when its subsets times rows are more than this",
               kSelect},
    OptionSpec{"sample", "", "sample", OptionType::sample, "N|all", "", "", kSearch,
               "prepare decisions on N rows, chosen by --seed, and check them on all; all: on all "
               "rows from the beginning; default: as many rows as tell, which are all where they "
               "are few",
               kSelect | kReport},
    OptionSpec{"delta", "", "delta", OptionType::number, "D", "0.05", "", kSearch,
               "the guarantee for two-valued features holds with probability 1 - D", kSelect},
    OptionSpec{"no-ranking", "", "ranking", OptionType::flag, "", "", "", kSearch,
               "tell only what is selected: no gain, p-value and q-value of every feature, and no "
               "substitutes, which together often take longer than the search",
               kSelect},
    OptionSpec{"folds", "", "folds", OptionType::integer, "F", "5", "", kSearch,
               "parts of the rows, each predicted by what is selected and learnt from the others: "
               "for -k auto and the estimates; 0: no estimates",
               kSelect},
    // Learning.
    OptionSpec{"k", "k", "k", OptionType::integer, "K", "", "", kLearning,
               "how many features the rule may look at, 1 to 6", kLearn, false, true},
    OptionSpec{"rule-size", "", "rule_size", OptionType::integer, "K", "3", "", kLearning,
               "how many features the rule for two classes may look at, 1 to 6; 0: no rule",
               kReport},
    OptionSpec{"learner", "", "learner", OptionType::choice, "NAME", "fourier",
               "fourier|low-degree|erm", kLearning,
               "fourier: the subset of the largest score, the sign of its Fourier expansion; "
               "low-degree: the sign of all products of up to K features; erm: the table of K "
               "features with the fewest training errors",
               kLearn},
    OptionSpec{
        "basis", "", "basis", OptionType::choice, "NAME", "", "product|correlated", kLearning,
        "correlated: products of standardised features, made orthogonal on the data; product: "
        "not made orthogonal, right for independent features, as the paper has them; default "
        "correlated, product for --learner low-degree",
        kLearn},
    OptionSpec{"search", "", "search", OptionType::subsets, "exhaustive|greedy|beam:W",
               "exhaustive", "", kLearning,
               "exhaustive: every subset; greedy: one feature after another; beam: the same with "
               "the W best subsets of a step kept",
               kLearn},
    OptionSpec{"binarize", "", "binarize", OptionType::cut, "median|mean|VALUE", "", "", kLearning,
               "cut columns of numbers in two: above the column's median or mean, or above VALUE",
               kLearn | kBounds},
    OptionSpec{
        "class-weight", "", "class_weight", OptionType::costs, "balanced|CLASS=W,...", "", "",
        kLearning,
        "what the rows of a class count for, above 0, others 1; balanced: both classes weigh "
        "the same, however few rows one has. Else the common class decides what is best",
        kLearn},
    OptionSpec{"top", "", "top", OptionType::integer, "N", "20", "", kLearning,
               "how many subsets are reported", kLearn},
    OptionSpec{"permutations", "", "permutations", OptionType::integer, "B", "0", "", kLearning,
               "search B shuffles of the label too and say how often chance finds as good a score; "
               "0: do not",
               kLearn},
    OptionSpec{"checkpoint", "", "checkpoint", OptionType::file, "FILE", "", "", kLearning,
               "keep the state of the search here, and go on from it when the same command is run "
               "again; removed when the search is done",
               kLearn},
    OptionSpec{
        "unseen", "", "unseen", OptionType::choice, "HOW", "error", "error|majority", kLearning,
        "a value that training never saw: stop, or predict the more frequent class", kPredict},
    // Guarantees.
    OptionSpec{"k", "k", "k", OptionType::integer, "K", "", "", kGuarantee,
               "how many features the rule may look at", kBounds, false, true},
    OptionSpec{"d", "d", "d", OptionType::integer, "D", "", "", kGuarantee,
               "how many features there are; default: those of FILE", kBounds},
    OptionSpec{"epsilon", "", "epsilon", OptionType::number, "E", "", "", kGuarantee,
               "by how much the error may exceed that of the best rule, between 0 and 1", kBounds},
    OptionSpec{"delta", "", "delta", OptionType::number, "P", "0.05", "", kGuarantee,
               "the guarantee may fail with this probability", kBounds},
    OptionSpec{"ck", "", "ck", OptionType::number, "C", "", "", kGuarantee,
               "the largest squared product of K standardised features, 1 or more; default: 1, "
               "which is for unbiased features",
               kBounds},
    OptionSpec{"bias", "", "bias", OptionType::number, "M", "", "", kGuarantee,
               "instead of --ck: no feature, as -1 and +1, has a mean beyond M and -M", kBounds},
    OptionSpec{"rows", "", "rows", OptionType::integer, "N", "", "", kGuarantee,
               "instead of --epsilon: the rows at hand; asks for the smallest epsilon", kBounds},
    // Data.
    OptionSpec{"label", "", "label", OptionType::text, "COL", "", "", kData,
               "the column that is not a feature; written last by -o", kReduce | kApply},
    OptionSpec{"label", "", "label", OptionType::text, "COL", "", "", kData,
               "the column to predict; it must have two values", kLearn, false, true},
    OptionSpec{"label", "", "label", OptionType::text, "COL", "", "", kData,
               "the column that is not a feature", kPredict | kBounds},
    OptionSpec{"label", "", "label", OptionType::text, "COL", "", "", kData,
               "the column to predict; without it the page is about redundancy alone", kReport},
    OptionSpec{"label", "", "label", OptionType::text, "COL", "", "", kData,
               "the column to predict; written last by -o", kSelect, false, true},
    OptionSpec{"columns", "", "columns", OptionType::globs, "GLOB,...", "", "", kData,
               "read only these columns (* and ? are wild, \\, is a comma)", kReaders},
    OptionSpec{"exclude", "", "exclude", OptionType::globs, "GLOB,...", "", "", kData,
               "leave these columns out", kReaders},
    OptionSpec{"categorical", "", "categorical", OptionType::globs, "GLOB,...", "", "", kData,
               "treat these columns as categories although they hold numbers", kReaders},
    OptionSpec{"use", "", "use", OptionType::globs, "GLOB,...", "", "", kData,
               "use these columns although they name the rows, or are mostly missing; such columns "
               "are else set aside",
               kReduce | kSelect | kLearn | kReport},
    OptionSpec{"missing", "", "missing", OptionType::choice, "HOW", "error", "error|drop|mean",
               kData,
               "missing values: stop; drop the row; put in the column's mean (most frequent "
               "category)",
               kReaders},
    OptionSpec{"na", "", "na", OptionType::texts, "TEXT,...", "", "", kData,
               "what counts as missing besides an empty field", kReaders},
    OptionSpec{"delimiter", "", "delimiter", OptionType::character, "CHAR", "", "", kData,
               "between the fields of a text file; \\t or tab for a tabulator; default: detected",
               kReaders},
    OptionSpec{"decimal", "", "decimal", OptionType::character, "CHAR", "", "", kData,
               "before the decimals of a number in text: a point or a comma; default: detected",
               kReaders},
    OptionSpec{"header", "", "header", OptionType::flag, "", "", "", kData,
               "the first line holds the names, whatever it looks like", kReaders},
    OptionSpec{"no-header", "", "header", OptionType::flag, "", "", "", kData,
               "the first line is data; columns are named x1, x2, ...", kReaders},
    OptionSpec{"rows", "", "rows", OptionType::rows, "A:B", "", "", kData,
               "read only these data rows, counted from 1, both ends included; either may be left "
               "out",
               kTables},
    // Synthetic sets.
    OptionSpec{"rows", "", "rows", OptionType::integer, "N", "1000", "", kSet, "how many rows",
               kGenerate},
    OptionSpec{"shuffle", "", "shuffle", OptionType::flag, "", "", "", kSet,
               "feature columns in random order (names stay with their columns)", kGenerate},
    OptionSpec{"pairs", "", "pairs", OptionType::flag, "", "", "", kSet,
               "gfa: redundant features are scaled products of two", kGenerate},
    // General.
    OptionSpec{"seed", "", "seed", OptionType::integer, "S", "0", "", kGeneral,
               "fixes every random choice", kAll},
    OptionSpec{"threads", "", "threads", OptionType::integer, "N", "0", "", kGeneral,
               "how many cores to use; 0: all. The result does not depend on it", kAll},
    OptionSpec{"device", "", "device", OptionType::text, "auto|cpu|cuda[:N]", "auto", "", kGeneral,
               "where all subsets of two-valued features are searched; cuda: on all NVIDIA GPUs or "
               "on number N; auto: there if it is worth it. The result does not depend on it, and "
               "other work is done by the CPU",
               kLearn},
    OptionSpec{
        "device", "", "device", OptionType::text, "auto|cpu|cuda[:N]", "auto", "", kGeneral,
        "where all subsets of two-valued features are searched, and where --depth 2 and more "
        "multiply columns; cuda: on NVIDIA GPUs or on number N; auto: there if it is worth "
        "it. The result does not depend on it, and other work is done by the CPU",
        kSelect},
    OptionSpec{"device", "", "device", OptionType::text, "auto|cpu|cuda[:N]", "auto", "", kGeneral,
               "where the gram engine multiplies matrices; cuda: on an NVIDIA GPU, the first or "
               "number N; auto: there if it is worth it. What is found does not depend on it, the "
               "last digits of numbers may",
               kReduce},
    OptionSpec{"memory", "", "memory", OptionType::size, "SIZE", "512M", "", kGeneral,
               "tables that decode to more are read in blocks, several times",
               kAll & ~kSelect & ~kReport},
    OptionSpec{
        "memory", "", "memory", OptionType::size, "SIZE", "512M", "", kGeneral,
        "what the table may take once it is read; of one that takes more, samples of rows must fit",
        kSelect | kReport},
    OptionSpec{"quiet", "q", "quiet", OptionType::flag, "", "", "", kGeneral,
               "no progress and no notes on standard error", kAll},
};

constexpr std::array<std::string_view, 25> kTypeNames{
    "flag",      "text",    "file",   "names",     "globs",  "texts",       "integer",
    "number",    "numbers", "choice", "stages",    "rule",   "rows",        "size",
    "character", "count",   "search", "reduction", "family", "expressions", "subsets",
    "cut",       "groups",  "costs",  "sample"};

}  // namespace

std::span<const OptionSpec> option_table() { return kOptionTable; }

bool belongs_to(const OptionSpec& option, Command command) {
  return (option.commands & bit(command)) != 0;
}

const OptionSpec* find_option(Command command, std::string_view name) {
  for (const OptionSpec& option : kOptionTable) {
    if (!belongs_to(option, command)) continue;
    const bool found = option.positional
                           ? option.key == name
                           : option.name == name || (name.size() == 1 && option.short_name == name);
    if (found) return &option;
  }
  return nullptr;
}

std::string dashed(std::string_view name) {
  std::string text(name.size() == 1 ? "-" : "--");
  text += name;  // "--" + name is warned of by GCC 12, which is wrong about it
  return text;
}

std::string_view type_name(OptionType type) {
  return kTypeNames.at(static_cast<std::size_t>(type));
}

}  // namespace fsieve::app
