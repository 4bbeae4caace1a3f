package xgboost_test

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/codec/xgboost"
	"github.com/coppice-ml/coppice/data"
)

// dumps are the files of testdata that dump_model wrote, with the parameters that they lack.
var dumps = map[string]xgboost.DumpOptions{
	"squarederror": {Objective: "reg:squarederror", BaseScore: 0.5},
	"logistic":     {Objective: "binary:logistic", BaseScore: 0.3},
	"softprob":     {Objective: "multi:softprob", BaseScore: 0.5, Scores: 4},
	"poisson":      {Objective: "count:poisson", BaseScore: 0.5},
}

// A dump predicts what XGBoost predicts by the model that it is of: leaves and raw scores to the
// bit, by the plain evaluation too.
func TestDumps(t *testing.T) {
	rows := frozenRows(t)
	for name, o := range dumps {
		t.Run(name, func(t *testing.T) {
			m, ref := decode(t, xgboost.Dump(o), readFile(t, "testdata/dumps/"+name+".json"))
			own := forDump(t, m.Spec().Schema.Fields, rows)
			agree(t, m, ref, own)
			predict := predictor(t, m)
			for i, want := range frozenOutputs(t, "testdata/"+name+".json") {
				raw, leaves := make([]float64, ref.Scores()), make([]int32, ref.Trees())
				ref.Raw(raw, own[i])
				ref.Leaves(leaves, own[i])
				if !slices.Equal(raw, want.raw) {
					t.Fatalf("row %d: scores %v, want %v", i, raw, want.raw)
				}
				for k, leaf := range leaves {
					if float64(leaf) != want.leaves[k] {
						t.Fatalf("row %d, tree %d: leaf %d, want %v", i, k, leaf, want.leaves[k])
					}
				}
				if raw, _ := predict(own[i]); distance(raw, want.raw) > 1e-6 {
					t.Fatalf("row %d: the model predicts %v, want %v", i, raw, want.raw)
				}
			}
		})
	}
}

// forDump picks the columns of a dump, which are those of its splits, out of rows of x0 to x5, and
// makes categories that the dump does not name unseen ones.
func forDump(t *testing.T, fields []data.Field, rows [][]float64) [][]float64 {
	t.Helper()
	own := make([][]float64, len(rows))
	for i, row := range rows {
		for _, f := range fields {
			x := row[f.Name[1]-'0']
			if f.Kind == data.Categorical && (x < 0 || x >= float64(len(f.Levels))) {
				x = -1
			}
			own[i] = append(own[i], x)
		}
	}
	return own
}

// Two leaves on a column, in the forms of several versions.
const dumpStump = `[{"nodeid":0,"split":%,"yes":1,"no":2,"missing":2,"children":[{"nodeid":1,"leaf":-1},{"nodeid":2,"leaf":3}]}]`

func TestDumpForms(t *testing.T) {
	for split, want := range map[string]string{
		`"age","split_condition":1.5`: "age -1 3 3",
		`3,"split_condition":1.5`:     "f0 f1 f2 f3 -1 3 3",
		`"f1","split_condition":1.5`:  "f0 f1 -1 3 3",
		`"c","split_condition":[1]`:   "c 3 -1 3",
	} {
		file := strings.Replace(dumpStump, "%", split, 1)
		m, _ := decode(t, xgboost.Dump(xgboost.DumpOptions{Objective: "reg:squarederror"}), []byte(file))
		fields := m.Spec().Schema.Fields
		got := strings.Join(m.Spec().Schema.Names(), " ")
		predict := predictor(t, m)
		for _, x := range []float64{0, 1, math.NaN()} {
			if fields[len(fields)-1].Kind == data.Numeric {
				x = 2 * x
			}
			row := make([]float64, len(fields))
			row[len(row)-1] = x
			raw, _ := predict(row)
			got += " " + map[float64]string{-1: "-1", 3: "3"}[raw[0]]
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", split, got, want)
		}
	}
}

// What a dump lacks, and what is damaged, is an error that names it.
func TestDumpFaults(t *testing.T) {
	o := xgboost.DumpOptions{Objective: "binary:logistic", BaseScore: 0.5}
	good := strings.Replace(dumpStump, "%", `"a","split_condition":1.5`, 1)
	for name, c := range map[string]struct {
		o          xgboost.DumpOptions
		file, want string
	}{
		"no objective":      {xgboost.DumpOptions{}, good, xgboost.ErrNoObjective.Error()},
		"unknown objective": {xgboost.DumpOptions{Objective: "logistic"}, good, `the objective "logistic"`},
		"base score":        {xgboost.DumpOptions{Objective: "binary:logistic"}, good, "base_score [0]"},
		"classes":           {xgboost.DumpOptions{Objective: "multi:softprob", Scores: 3}, good, "1 trees for 3 scores"},
		"levels":            {xgboost.DumpOptions{Objective: "reg:quantileerror", Scores: 2}, good, "of 2 levels"},
		"indicator":         {o, strings.Replace(dumpStump, "%", `"a"`, 1), `splits the indicator "a"`},
		"children":          {o, strings.Replace(good, `"nodeid":2`, `"nodeid":4`, 1), "yes, no and missing"},
		"one child":         {o, strings.Replace(good, `,{"nodeid":2,"leaf":3}`, "", 1), "with two children"},
		"twice":             {o, strings.Replace(good, `"nodeid":2`, `"nodeid":1`, 1), "two nodes have the number 1"},
		"root":              {o, strings.Replace(good, `"nodeid":0`, `"nodeid":3`, 1), "the root has the number 3"},
		"number":            {o, strings.Replace(good, `"nodeid":0`, `"nodeid":2000000000`, 1), "more memory"},
		"vector":            {o, strings.Replace(good, `"leaf":3`, `"leaf":[3,4]`, 1), "where a value is expected"},
		"empty":             {o, "[]", "0 trees"},
	} {
		f := xgboost.Dump(c.o)
		_, err := f.Decode(strings.NewReader(c.file), int64(len(c.file)), codec.Limits{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	deep := strings.Repeat(`[{"nodeid":0,"children":`, 1<<18)
	f := xgboost.Dump(o)
	_, err := f.Decode(strings.NewReader(deep), int64(len(deep)), codec.Limits{})
	if corrupt := (*codec.CorruptError)(nil); !errors.As(err, &corrupt) {
		t.Errorf("nodes within each other: %v", err)
	}
}

func TestDumpConformance(t *testing.T) {
	b := readFile(t, "testdata/dumps/logistic.json")
	first, _, _ := bytes.Cut(b[10:], []byte(`{ "nodeid": 0,`))
	b = append(bytes.TrimRight(b[:10+len(first)], ", \n"), ']')
	codectest.Run(t, xgboost.Dump(dumps["logistic"]), nil, b)
}

func FuzzDump(f *testing.F) {
	f.Add(readFile(f, "testdata/dumps/logistic.json"))
	fuzz(f, xgboost.Dump(xgboost.DumpOptions{Objective: "reg:squarederror"}), ".json")
}
