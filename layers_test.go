package coppice_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/coppice-ml/coppice"

// layers is the import policy: a package may import packages of lower layers. An edit here is a
// change of policy: see ARCHITECTURE.md.
//
//   - "a/..." stands for every package below a, without a itself.
//   - Packages of one layer do not import each other; those of the ground layer may.
//   - An exact name wins over a pattern: what stands below internal/ and is named in a higher row
//     belongs to that row.
var layers = [][]string{
	{"internal/...", "testdata"},
	{"internal/kernel/kerneltest"},
	{"param", "memory", "ranks"},
	{"ranks/..."},
	{"data"},
	{"internal/table"},
	{"internal/source", "data/split"},
	{"data/..."},
	{"data/datatest", "data/tabletest"},
	{"tree"},
	{"tree/..."},
	{"loss/link", "internal/input"},
	{"loss", "metric", "learn/internal/grow", "internal/input/inputtest"},
	{"loss/losstest"},
	{"learn/sample", "learn/gbm/internal/bins", "learn/gbm/internal/encode"},
	{"learn/internal/exact", "learn/internal/exact/internal/sorting", "learn/gbm/internal/hist"},
	{"learn/internal/exact/internal/growth"},   // the core of the exact engine: nodes, queue, partitions
	{"learn/internal/exact/internal/scan"},     // the best split of a node by one column
	{"learn/internal/exact/..."},               // the other strategies, which do not see each other
	{"learn/internal/exact/internal/growtest"}, // tests of all strategies
	{"model/internal/engine"},
	{"model"},
	{"model/...", "internal/models/dense"},
	{"internal/models/..."},
	{"learn", "codec"},
	{"learn/internal/weighting", "learn/internal/trees", "codec/internal/jsonscan", "codec/internal/protobuf", "explain/internal/shapley/internal/trees"},
	{"codec/internal/foreign"},
	// what several learners share
	{"learn/internal/fitting"}, // vectors are weighed by the weights below
	{"learn/internal/ensembles", "learn/internal/boosting"},
	{"learn/gbm/internal/table"},
	// what decides rounds and settings does not see the stages of a round
	{"learn/gbm/internal/boost", "learn/gbm/internal/rounds"},
	{"learn/gbm/internal/fit"},
	// below the formats, whose encoders compare what they write
	{"codec/parity"},
	{"learn/...", "codec/..."},
	{"cmd/coppice/internal/playground"},
	{"cmd/coppice/internal/playground/..."},
	{"learn/catalog", "codec/formats"},
	{"learn/learntest", "codec/codectest"},
	{"eval"},
	{"tune", "check"},
	{"explain/internal/axes"}, // values of columns, which the rooms of explain share
	{"explain/internal/..."},  // a method each: they do not see each other
	{"explain"},
	{""}, // the library's root
	{"serve"},
	{"serve/..."},
	{"report/..."},
	{"report"},
	{"cmd/coppice/internal/lab/reproductions"},
	{"cmd/coppice/internal/lab/reproductions/..."},
	{"cmd/coppice/internal/cli"}, // what every sub-command uses
	{"cmd/coppice/internal/databases", "cmd/coppice/internal/toolparams"},
	{"cmd/coppice/internal/paramfile"},
	{"cmd/coppice/internal/tables", "cmd/coppice/internal/learner", "cmd/coppice/internal/describe"},
	{"cmd/coppice/internal/models"},
	{"cmd/coppice/internal/..."}, // the sub-commands, which do not see each other
	{"cmd/coppice/command"},
	{"cmd/coppice", "cmd/coppice-mpi"},
}

// floors are the folders at the root, from the ground up. Packages of a folder import folders of
// lower floors only, suites of tests too. So whoever reads the list reads the order of the whole.
// What several rooms share and no program needs stands in internal/, on a floor of its own if it is
// not the ground.
var floors = [][]string{
	{"memory", "param", "testdata"}, {"internal"}, {"data", "ranks"}, {"internal/input"},
	{"tree", "loss", "metric"}, {"model"}, {"internal/models"},
	{"learn", "codec"}, {"eval"}, {"tune", "explain", "check"}, {""}, {"report", "serve"}, {"cmd"},
}

// aboveFloors are imports that go up: what readers of tables have in common, and the command uses
// too, stands in internal/ and makes frames.
var aboveFloors = []string{"internal/source -> data", "internal/table -> data"}

// sideways are pairs of layers that stand side by side: neither may import the other although one
// is listed higher.
var sideways = [][2]string{
	{"learn", "codec"}, {"learn", "explain"}, {"codec", "explain"},
}

// noHeavy are import prefixes that the library's root must not reach, directly or through its own
// packages: programs that import Coppice to train or predict should not compile readers,
// compressors, drawings or command-line tools, nor learners that it does not train with.
var noHeavy = []string{
	module + "/cmd/", module + "/learn/",
	"github.com/klauspost/", "github.com/parquet-go/", "github.com/apache/", "github.com/spf13/", "github.com/schollz/", "github.com/jedib0t/", "gonum.org/",
}

// imports returns package folder -> imported paths -> a file that imports it, as walkImports finds
// them.
func imports(t *testing.T) map[string]map[string]string {
	t.Helper()
	found := map[string]map[string]string{}
	walkImports(t, func(file string, imported []string) {
		folder := path.Dir(file)
		if folder == "." {
			folder = ""
		}
		if found[folder] == nil {
			found[folder] = map[string]string{}
		}
		for _, p := range imported {
			found[folder][p] = file
		}
	})
	return found
}

// walkImports visits every non-test file of the module with the paths that it imports. Tools and
// examples are left out: they may import everything, and nothing may import them, since they have
// no layer. So are folders called testdata, but for the one at the root, which embeds its tables.
// It runs no other program, so the test cache covers every file that it reads.
func walkImports(t *testing.T, visit func(file string, imported []string)) {
	t.Helper()
	all, err := allImports()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		if !strings.HasSuffix(f.name, "_test.go") {
			visit(f.name, f.imported)
		}
	}
}

// importing is a file with the paths that it imports.
type importing struct {
	name     string
	imported []string
}

// allImports reads the files once, those of tests too, which many tests walk.
var allImports = sync.OnceValues(func() (all []importing, err error) {
	err = filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if b := d.Name(); b == "testdata" && name != b || path.Dir(filepath.ToSlash(name)) == "testdata" || name == "tools" || name == "examples" || name != "." && strings.HasPrefix(b, ".") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		var imported []string
		for _, spec := range file.Imports {
			p, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			imported = append(imported, p)
		}
		all = append(all, importing{filepath.ToSlash(name), imported})
		return nil
	})
	return all, err
})

// layerOf returns the layer of a package folder: an exact name wins over a pattern, a longer
// pattern over a shorter one; -1 where no row names it.
func layerOf(folder string) int {
	best, length := -1, -1
	for i, row := range layers {
		for _, name := range row {
			stem, pattern := strings.CutSuffix(name, "/...")
			switch {
			case !pattern && name == folder:
				return i
			case pattern && strings.HasPrefix(folder, stem+"/") && len(stem) > length:
				best, length = i, len(stem)
			}
		}
	}
	return best
}

func top(folder string) string {
	first, _, _ := strings.Cut(folder, "/")
	return first
}

func besides(a, b string) bool {
	for _, s := range sideways {
		if s == [2]string{top(a), top(b)} || s == [2]string{top(b), top(a)} {
			return true
		}
	}
	return false
}

func TestImportsGoDownward(t *testing.T) {
	for folder, paths := range imports(t) {
		from := layerOf(folder)
		if from < 0 {
			t.Errorf("package %q has no layer: add it to layers", folder)
			continue
		}
		for p, file := range paths {
			if p != module && !strings.HasPrefix(p, module+"/") {
				continue
			}
			to := strings.TrimPrefix(strings.TrimPrefix(p, module), "/")
			if from == 0 && layerOf(to) == 0 { // packages of the lowest layer
				continue
			}
			if l := layerOf(to); l < 0 || l >= from || besides(folder, to) {
				t.Errorf("%s: %q must not import %q", file, folder, to)
			}
		}
	}
}

func TestFoldersGoDownward(t *testing.T) {
	roomOf := func(folder string) string {
		for room := folder; strings.Contains(room, "/"); room = path.Dir(room) {
			if slices.ContainsFunc(floors, func(row []string) bool { return slices.Contains(row, room) }) {
				return room
			}
		}
		return top(folder)
	}
	floorOf := func(folder string) int {
		return slices.IndexFunc(floors, func(row []string) bool { return slices.Contains(row, roomOf(folder)) })
	}
	var up []string
	for folder, paths := range imports(t) {
		if floorOf(folder) < 0 {
			t.Errorf("%q has no floor: add it to floors", top(folder))
		}
		for p := range paths {
			to := strings.TrimPrefix(strings.TrimPrefix(p, module), "/")
			own := p == module || strings.HasPrefix(p, module+"/")
			if own && roomOf(folder) != roomOf(to) && floorOf(to) >= floorOf(folder) {
				up = append(up, folder+" -> "+to)
			}
		}
	}
	if slices.Sort(up); !slices.Equal(up, aboveFloors) {
		t.Errorf("imports up at the root: %q, want %q", up, aboveFloors)
	}
}

func TestRootStaysLight(t *testing.T) { checkReach(t, "", append(readers(t), noHeavy...)) }

// A program that serves models compiles no reader of files, no learner and no metrics of other
// tools: beside the standard library nothing that a program with a model does not have.
func TestServeStaysLight(t *testing.T) {
	checkReach(t, "serve", append(readers(t), append(noHeavy, "github.com/prometheus/",
		"google.golang.org/", "github.com/minio/", "github.com/Azure/", "modernc.org/")...))
}

// readers returns the paths of the packages below data, but for splits, which training needs.
func readers(t *testing.T) []string {
	t.Helper()
	var paths []string
	for folder := range imports(t) {
		if strings.HasPrefix(folder, "data/") && folder != "data/split" {
			paths = append(paths, module+"/"+folder)
		}
	}
	return paths
}

// Programs that read tables compile no clients of stores and databases unless they ask for them.
func TestReadersStayLight(t *testing.T) {
	clients := []string{
		module + "/data/stores", "github.com/minio/", "github.com/Azure/", "golang.org/x/oauth2",
		"github.com/jackc/", "modernc.org/", "github.com/go-sql-driver/",
	}
	for _, name := range []string{
		"arff", "arrowdata", "csvdata", "jsonl", "libsvm", "parquetdata", "sqldata",
	} {
		checkReach(t, "data/"+name, clients)
	}
	checkReach(t, "", clients)
}

// The playground's program for browsers has no command, no reader of files and no server: it is
// loaded by everybody who opens the page.
func TestPlaygroundStaysLight(t *testing.T) {
	checkReach(t, "cmd/coppice/internal/playground/wasm", append(readers(t),
		module+"/cmd/coppice/internal/cli", module+"/cmd/coppice/command",
		module+"/codec", module+"/internal/source", module+"/cmd/coppice/internal/lab/reproductions",
		module+"/report", "github.com/klauspost/", "github.com/parquet-go/", "github.com/apache/", "github.com/spf13/",
		"github.com/schollz/", "github.com/jedib0t/", "gonum.org/", "net", "compress/",
	))
}

// Learners without trees compile none of the engines that grow them.
func TestLearnersWithoutTreesStayLight(t *testing.T) {
	engines := []string{
		module + "/learn/internal/exact", module + "/learn/gbm/internal/",
		module + "/internal/criterion", module + "/learn/sample",
	}
	for _, name := range []string{"bayes", "knn", "linear", "network", "svm"} {
		checkReach(t, "learn/"+name, engines)
	}
	checkReach(t, "learn", engines)
}

// The command names neither learners nor models: it finds learners in the catalog, and both
// describe themselves. So a new learner changes nothing in it.
func TestCommandNamesNoLearner(t *testing.T) {
	// model/profile describes rows of tables, and is no kind of model.
	known := []string{"learn/catalog", "model/training", "model/profile"}
	for folder, paths := range imports(t) {
		teaches := strings.Contains(folder, "/lab/reproductions") || strings.Contains(folder, "/playground")
		if !strings.HasPrefix(folder, "cmd/") || teaches {
			continue // a reproduction or a picture is of a method that it names
		}
		for p, file := range paths {
			to := strings.TrimPrefix(p, module+"/")
			if (strings.HasPrefix(to, "learn/") || strings.HasPrefix(to, "model/")) &&
				!slices.Contains(known, to) {
				t.Errorf("%s imports %s: let it describe itself", file, to)
			}
		}
	}
}

// A learner with a model of its own touches two tables outside its folder, its model and its codec
// file. Those who import the folder or name the model show it, for learners that no other learner
// is built on.
func TestLearnerTouchesFewFiles(t *testing.T) {
	for name, c := range map[string]struct{ codec, model string }{
		"bayes": {"bayes", "Bayes"}, "knn": {"neighbours", "Neighbours"},
		"network": {"network", "Network"}, "svm": {"machine", "Machine"},
	} {
		want := []string{
			"codec/native/" + c.codec + ".go", "codec/native/kinds.go",
			"codec/codectest/" + c.codec + ".go", "learn/catalog/catalog.go",
		}
		got := importers(t, module+"/learn/"+name)
		for _, file := range importers(t, module+"/internal/models/dense") {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if regexp.MustCompile(`\bdense\.` + c.model + `\b`).Match(text) {
				got = append(got, file)
			}
		}
		got = slices.DeleteFunc(got, func(file string) bool { return path.Dir(file) == "learn/"+name })
		slices.Sort(got)
		if slices.Sort(want); !slices.Equal(slices.Compact(got), want) {
			t.Errorf("%s is imported by %q, want %q", name, got, want)
		}
	}
}

// importers returns the files, tests left out, that import one of some packages.
func importers(t *testing.T, packages ...string) []string {
	t.Helper()
	var files []string
	walkImports(t, func(file string, imported []string) {
		if slices.ContainsFunc(imported, func(p string) bool { return slices.Contains(packages, p) }) {
			files = append(files, file)
		}
	})
	slices.Sort(files)
	return files
}

// A reader who follows imports from the top to the ground passes through few packages.
func TestImportsStayShallow(t *testing.T) {
	all := imports(t)
	for _, c := range []struct {
		from string
		most int
	}{{"", 10}, {"cmd/coppice", 16}} { // the table of sub-commands is a package for two programs, and gbm has four rooms
		if chain := longestChain(all, c.from, "cmd/coppice/internal/lab/reproductions"); len(chain) > c.most {
			t.Errorf("%d packages import each other, want at most %d: %s", len(chain), c.most, strings.Join(chain, " -> "))
		}
	}
}

// longestChain returns the longest chain of packages of the module that import each other, without
// a folder and those below it.
func longestChain(all map[string]map[string]string, from, without string) []string {
	longest := map[string][]string{}
	var visit func(folder string) []string
	visit = func(folder string) []string {
		if chain, ok := longest[folder]; ok {
			return chain
		}
		var below []string
		for p := range all[folder] {
			to := strings.TrimPrefix(strings.TrimPrefix(p, module), "/")
			if p != module && !strings.HasPrefix(p, module+"/") || to == without || strings.HasPrefix(to, without+"/") {
				continue
			}
			if chain := visit(to); len(chain) > len(below) {
				below = chain
			}
		}
		longest[folder] = append([]string{folder}, below...)
		return longest[folder]
	}
	return visit(from)
}

// checkReach fails the test if a package imports a path with one of the prefixes, directly or
// through packages of the module.
func checkReach(t *testing.T, from string, prefixes []string) {
	t.Helper()
	all := imports(t)
	seen := map[string]bool{}
	var visit func(folder, through string)
	visit = func(folder, through string) {
		if seen[folder] {
			return
		}
		seen[folder] = true
		for p := range all[folder] {
			for _, prefix := range prefixes {
				if strings.HasPrefix(p, prefix) {
					t.Errorf("%q reaches %s through %s", from, p, through)
				}
			}
			if strings.HasPrefix(p, module+"/") {
				to := strings.TrimPrefix(p, module+"/")
				visit(to, through+" -> "+to)
			}
		}
	}
	visit(from, from)
}

func TestLayerOf(t *testing.T) {
	for folder, want := range map[string]string{
		"data": "data", "internal/table": "internal/table", "data/csvdata": "data/...", "learn/cart": "learn/...", "learn/catalog": "learn/catalog",
		"cmd/coppice/internal/train": "cmd/coppice/internal/...", "cmd/coppice/internal/cli": "cmd/coppice/internal/cli", "internal/kernel": "internal/...", "": "",
	} {
		l := layerOf(folder)
		if l < 0 {
			t.Errorf("%q: no layer", folder)
			continue
		}
		ok := false
		for _, name := range layers[l] {
			ok = ok || name == want
		}
		if !ok {
			t.Errorf("%q is in layer %v, want the one of %q", folder, layers[l], want)
		}
	}
	if layerOf("utils") >= 0 {
		t.Error("an unknown package has a layer")
	}
}
