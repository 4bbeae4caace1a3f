package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/models"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/model"
)

// hostileTable is the table that the models of these tests are trained on and evaluated with.
const hostileTable = "flowers.csv"

// trainedModels are the bytes of the files that hostileModels writes, once they are trained.
var trainedModels [][]byte

// hostileModels writes a model of every kind of summary into the working folder, and returns their
// files.
func hostileModels(t testing.TB) []string {
	t.Helper()
	if trainedModels == nil {
		trainedModels = trainHostile(t)
	}
	var files []string
	for i, b := range trainedModels {
		files = append(files, fmt.Sprintf("%d.coppice", i))
		if err := os.WriteFile(files[i], b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	writeHostileTable(t)
	return files
}

// writeHostileTable writes the table of the models into the working folder.
func writeHostileTable(t testing.TB) {
	t.Helper()
	rows := []string{"length,width,colour,species"}
	for i := range 60 {
		rows = append(rows, fmt.Sprintf("%d.%d,%d,%s,%s", i%3+i%7, i%10, (i*7)%5,
			[]string{"red", "blue", "white"}[i*i%3], []string{"iris", "rose", "lily"}[i%3]))
	}
	if err := os.WriteFile(hostileTable, []byte(strings.Join(rows, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
}

// trainHostile trains the models, and returns the bytes of their files.
func trainHostile(t testing.TB) (files [][]byte) {
	t.Helper()
	writeHostileTable(t)
	for _, flags := range []string{
		"--learner cart",
		"--learner cart --valid 0.3",
		"--learner cart --label length",
		"--learner forest --set trees=6 --set importance=permutation",
		"--learner forest --set trees=6 --label length --set quantiles=true",
		"--learner gbm --set trees=6 --valid 0.3",
		"--learner gbm --set trees=6 --set training_metric=1",
		"--learner adaboost --set rounds=6",
		"--learner adaboost --set rounds=6 --label length",
		"--learner logitboost --set rounds=3",
		"--learner anyboost --set rounds=4 --label length",
		"--learner bag --set members=3",
		"--learner stack --set members=cart,logistic",
		"--learner stack --set members=cart,linear --label length",
		"--learner vote --set members=cart,bayes --set partition=2",
		"--learner isolation --set trees=6 --set contamination=0.1 --ignore species",
		"--learner rules",
		"--learner c45",
		"--learner svm",
		"--learner logistic --calibrate isotonic",
	} {
		args := strings.Fields(flags)
		if !strings.Contains(flags, "--label") && !strings.Contains(flags, "isolation") {
			args = append(args, "--label", "species")
		}
		if err := silent(t.Context(), io.Discard,
			append([]string{"train", hostileTable, "-o", "trained"}, args...)...); err != nil {
			t.Fatalf("%s: %v", flags, err)
		}
		b, err := os.ReadFile("trained")
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, b)
	}
	return files
}

// silent runs a command whose standard output goes to out.
func silent(ctx context.Context, out io.Writer, args ...string) error {
	return cli.Run(ctx, &cli.Console{In: strings.NewReader(""), Out: out, Err: io.Discard,
		Progress: &cli.Progress{}}, commands(), args)
}

// views returns the command lines of all views of a model.
func views(path string) [][]string {
	all := [][]string{
		{"show", path},
		{"show", path, "--json"},
		{"show", path, "--format", "rules"},
		{"show", path, "--format", "json"},
		{"show", path, "--format", "dot"},
		{"show", path, "--format", "svg"},
		{"show", path, "--path"},
		{"show", path, "--path", "--json"},
		{"show", path, "--curve"},
		{"show", path, "--curve", "--json"},
		{"show", path, "--curve", "--format", "svg"},
		{"show", path, "--check-monotone"},
		{"show", path, "--check-monotone=length"},
		{"show", path, "--member", "0"},
		{"evaluate", path, hostileTable},
		{"predict", path, hostileTable, "--rounds", "2"},
		{"predict", path, hostileTable, "--output", "raw"},
		{"draw", path, hostileTable, "--what", "size", "-o", "picture.svg"},
		{"draw", path, hostileTable, "--what", "partition", "-o", "picture.svg"},
		{"draw", path, hostileTable, "--what", "partition", "--rounds", "1", "-o", "picture.svg"},
		{"draw", path, hostileTable, "--what", "partition", "--tree", "0", "-o", "picture.svg"},
		{"draw", path, hostileTable, "--what", "partition", "--columns", "length", "-o",
			"picture.svg"},
		{"draw", path, hostileTable, "--what", "margins", "-o", "picture.svg"},
		{"draw", path, hostileTable, "--what", "rounds", "-o", "picture.svg"},
		{"draw", path, hostileTable, "--what", "candidates", "-o", "picture.svg"},
		{"show", path, hostileTable, "--candidates"},
		{"show", path, hostileTable, "--candidates", "--node", "1", "--json"},
	}
	for _, kind := range describe.ImportanceKinds() {
		all = append(all, []string{"show", path, "--importances", kind},
			[]string{"show", path, "--importances", kind, "--format", "svg"})
	}
	return all
}

// harmless runs views of a model; if the first fails, the model cannot be opened. Each must print
// no control sequence, or fail with one line that is not a bug.
func harmless(t *testing.T, views [][]string) {
	t.Helper()
	for i, args := range views {
		var out bytes.Buffer
		err := silent(t.Context(), &out, args...)
		text := out.String()
		if err != nil {
			text += cli.OneLine(err.Error())
			if strings.Contains(cli.OneLine(err.Error()), "\n") {
				t.Errorf("%q: the error %q has lines", args, err)
			}
		}
		if broken := (*cli.Bug)(nil); errors.As(err, &broken) {
			t.Fatalf("%q: %v\n%s", args, err, broken.Stack)
		}
		if args[0] != "predict" {
			if at := strings.IndexFunc(text, func(r rune) bool {
				return r != '\n' && r != '\t' && humanize.Obeyed(r)
			}); at >= 0 {
				t.Fatalf("%q prints %q", args, text[max(0, at-50):min(len(text), at+50)])
			}
		}
		if i == 0 && err != nil {
			return
		}
	}
}

// hostileCopy gives a model another summary, and now and then other parameters and the name of
// another learner.
func hostileCopy(r *rand.Rand, m model.Model, donor *model.Spec) {
	spec := m.Spec()
	if at := m.Children(); len(at) > 0 && r.IntN(3) == 0 {
		spec = at[r.IntN(len(at))].Model.Spec()
	}
	if r.IntN(8) > 0 {
		spec.Summary = codectest.Mutant(r, spec.Summary, donor.Summary)
	} else {
		spec.Summary = donor.Summary
	}
	switch r.IntN(8) {
	case 0:
		spec.Params = codectest.Mutant(r, spec.Params, donor.Params)
	case 1:
		spec.Learner = donor.Learner
	case 2:
		spec.Learner = "\x1b[31mgbm\u202e\n"
	}
}

// viewsOfMutant is the number of views of each mutant: the first, and others at random.
const viewsOfMutant = 5

// TestSummaryMutants shows models whose summaries are changed at random. COPPICE_MUTANTS is their
// number, COPPICE_SEED the seed. The current model is mutant.coppice in COPPICE_MUTANT_DIR: if the
// process dies, that file is the cause.
func TestSummaryMutants(t *testing.T) {
	mutants, seed := environment(t, "COPPICE_MUTANTS", tier.Count(10, 50, 200)), environment(t, "COPPICE_SEED", 1)
	folder := os.Getenv("COPPICE_MUTANT_DIR")
	if folder == "" {
		folder = t.TempDir()
	}
	t.Chdir(folder)
	files := hostileModels(t)
	path := filepath.Join(folder, "mutant.coppice")
	r := rand.New(rand.NewPCG(uint64(seed), 1))
	accepted := 0
	for i := range mutants {
		m, err := coppice.Open(files[r.IntN(len(files))])
		if err != nil {
			t.Fatal(err)
		}
		donor, err := coppice.Open(files[r.IntN(len(files))])
		if err != nil {
			t.Fatal(err)
		}
		hostileCopy(r, m, donor.Spec())
		if err := coppice.Save(path, m); err != nil {
			continue // Save refuses it, so no file holds it
		}
		if _, err := new(models.LimitFlag).Open(path, false); err == nil {
			accepted++
		}
		all := views(path)
		r.Shuffle(len(all)-1, func(i, k int) { all[i+1], all[k+1] = all[k+1], all[i+1] })
		harmless(t, all[:viewsOfMutant])
		if t.Failed() {
			t.Fatalf("mutant %d of seed %d", i, seed)
		}
	}
	t.Logf("%d mutants of seed %d, of which %d were accepted and shown", mutants, seed, accepted)
	if accepted == 0 || accepted == mutants {
		t.Errorf("of %d mutants %d were accepted: they are all of one kind", mutants, accepted)
	}
}

// environment returns a number that a variable holds, or the usual one.
func environment(t *testing.T, name string, usual int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		t.Fatalf("%s=%s: want a number", name, text)
	}
	return n
}

// FuzzShow reads any bytes as a model and changes its summary by a seed. A model that opens can be
// shown, drawn and evaluated.
func FuzzShow(f *testing.F) {
	folder := f.TempDir()
	f.Chdir(folder)
	var donors []*model.Spec
	for i, file := range hostileModels(f) {
		b, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		m, err := coppice.Open(file)
		if err != nil {
			f.Fatal(err)
		}
		donors = append(donors, m.Spec())
		if i%tier.Count(8, 3, 1) == 0 {
			f.Add(b, uint64(i%3)) // 0 leaves the model as it is
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, seed uint64) {
		t.Chdir(t.TempDir())
		if err := os.WriteFile(hostileTable,
			[]byte("length,width,colour,species\n1.5,2,red,iris\n3.5,1,blue,rose\n,4,white,lily\n"),
			0o666); err != nil {
			t.Fatal(err)
		}
		m, err := coppice.Read(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		if seed > 0 {
			r := rand.New(rand.NewPCG(seed, 2))
			hostileCopy(r, m, donors[r.IntN(len(donors))])
		}
		if coppice.Save("m.coppice", m) != nil {
			return
		}
		harmless(t, views("m.coppice"))
	})
}
