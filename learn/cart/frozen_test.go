package cart_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
	"github.com/coppice-ml/coppice/tree"
)

// table reads the first rows of a shipped table: a column with a text that is no number is
// categorical, "?" is missing.
func table(t *testing.T, file, label string, task data.Task, rows int) (*data.Frame, *data.Target) {
	t.Helper()
	header, records := readTable(t, file, rows)
	var schema data.Schema
	var columns []data.Column
	target := &data.Target{Name: label, Task: task}
	for k, name := range header {
		texts := make([]string, rows)
		for i, record := range records {
			texts[i] = record[k]
		}
		switch numbers, numeric := numbersOf(texts); {
		case name != label && numeric:
			schema.Fields = append(schema.Fields, data.Field{Name: name})
			columns = append(columns, data.Numbers(numbers))
		case name != label:
			codes, levels := codesOf(texts)
			schema.Fields = append(schema.Fields,
				data.Field{Name: name, Kind: data.Categorical, Levels: levels})
			columns = append(columns, data.Codes(codes))
		case task == data.Regression:
			target.Y = [][]float64{numbers}
		default:
			target.Class, target.Classes = codesOf(texts)
		}
	}
	frame, err := data.NewFrame(schema, columns)
	if err != nil {
		t.Fatal(err)
	}
	return frame, target
}

func numbersOf(texts []string) (numbers []float64, ok bool) {
	for _, text := range texts {
		x, err := strconv.ParseFloat(text, 64)
		if text == "?" {
			x, err = math.NaN(), nil
		}
		if err != nil {
			return nil, false
		}
		numbers = append(numbers, x)
	}
	return numbers, true
}

func codesOf(texts []string) (codes []uint32, levels []string) {
	levels = slices.Compact(slices.Sorted(slices.Values(texts)))
	levels = slices.DeleteFunc(levels, func(l string) bool { return l == "?" })
	for _, text := range texts {
		code := data.MissingCode
		if at, ok := slices.BinarySearch(levels, text); ok {
			code = uint32(at)
		}
		codes = append(codes, code)
	}
	return codes, levels
}

// fingerprint hashes all of a model: its tree, an array for each thing that a node has, and
// its summary.
func fingerprint(t *testing.T, m model.Model) string {
	t.Helper()
	e := m.(*model.Ensemble)
	tr := e.Trees[0]
	var kind []tree.Kind
	var missing []tree.Missing
	var feature, child, arity []int32
	var splitPoint []float64
	var sets []uint64
	setAt := []int32{0}
	for n := range int32(tr.Len()) {
		s := tr.SplitOf(n)
		kind, missing, feature, splitPoint = append(kind, s.Kind), append(missing, s.Missing),
			append(feature, s.Feature), append(splitPoint, s.SplitPoint)
		child, arity = append(child, tr.Child(n)), append(arity, s.Arity)
		sets = append(sets, s.Set...)
		setAt = append(setAt, int32(len(sets)))
	}
	if tr.SetAt == nil {
		setAt = nil
	}
	var b bytes.Buffer
	for _, array := range []any{kind, feature, splitPoint, child, arity, missing, sets, setAt,
		tr.Leaf.Value,
		tr.Stats.Rows, tr.Stats.Weight, tr.Stats.Impurity, tr.Stats.Gain} {
		if err := binary.Write(&b, binary.LittleEndian, array); err != nil {
			t.Fatal(err)
		}
	}
	b.Write(modeltest.SummaryValues(e.Meta.Summary))
	sum := sha256.Sum256(b.Bytes())
	return hex.EncodeToString(sum[:8])
}

// TestFrozenModels holds models to the bytes that they had when the hashes were taken: on every
// architecture, for any number of workers. A hash may change only with a change of the algorithm
// that is intended and listed in the changelog.
func TestFrozenModels(t *testing.T) {
	for _, c := range []struct {
		name, file, label string
		task              data.Task
		rows              int
		settings          []string
		valid             int // every so many rows are for validation; 0 = none
		hash              string
	}{
		{"entropy, cross-validated", "iris/iris.csv", "species", data.Multiclass, 150,
			[]string{"criterion=entropy", "prune=cv"}, 0, "8778615de916461b"},
		{"gini, validated, balanced", "spambase/spambase.csv", "spam", data.Binary, 2500,
			[]string{"class_weight=balanced", "prune=validation"}, 4, "864948d8317eb4db"},
		{"categories and missing values", "adult/adult-train.csv.gz", "income", data.Binary, 2000,
			[]string{"prune=none", "min_leaf=3"}, 0, "155a450dbc31de16"},
		{"many classes, best first", "letter/letter.csv", "lettr", data.Multiclass, 2000,
			[]string{"criterion=entropy", "leaves=60", "prune=none"}, 0, "517af608b57bb162"},
		{"regression, cross-validated", "adult/adult-train.csv.gz", "hours-per-week",
			data.Regression, 1000, []string{"prune=cv-min", "min_leaf=5"}, 0, "fdebd94f2024c1a7"},
		{"gain ratio, chi-squared", "adult/adult-train.csv.gz", "income", data.Binary, 2000,
			[]string{"criterion=gain_ratio", "chi2=0.05", "prune=none"}, 0, "e958309ca824aaf0"},
		{"Hellinger distance, many classes", "letter/letter.csv", "lettr", data.Multiclass, 1000,
			[]string{"criterion=hellinger", "prune=none"}, 0, "612bc09ec633cad0"},
		{"absolute error, cross-validated", "adult/adult-train.csv.gz", "hours-per-week",
			data.Regression, 1000, []string{"criterion=absolute_error", "prune=cv-min",
				"min_leaf=3"}, 0, "e7027493b7aa57be"},
		{"Poisson deviance, validated", "adult/adult-train.csv.gz", "hours-per-week",
			data.Regression, 1000, []string{"criterion=poisson", "prune=validation"}, 4,
			"21a54fe288242c4c"},
	} {
		if testing.Short() && strings.Contains(c.name, "cross-validated") {
			continue // these take most of the time
		}
		t.Run(c.name, func(t *testing.T) {
			frame, target := table(t, c.file, c.label, c.task, c.rows)
			// no short binary fractions: their products round, so a fused multiply-add would show
			for i := range c.rows {
				target.Weight = append(target.Weight, 1+float64(i%7)/10)
			}
			var train, valid []int32
			for i := range int32(c.rows) {
				if c.valid > 0 && int(i)%c.valid == 0 {
					valid = append(valid, i)
				} else {
					train = append(train, i)
				}
			}
			l := learntest.Made(t, cart.New(), c.settings...)
			for _, workers := range []int{2, 1, 7}[tier.Count(1, 0, 0):] {
				fitter, err := l.Prepare(t.Context(), frame, train, target.Weight,
					learn.Env{Workers: workers})
				if err != nil {
					t.Fatal(err)
				}
				m, err := fitter.Fit(t.Context(), target,
					learn.Job{Valid: valid, Seed: 7, Workers: workers})
				if err != nil {
					t.Fatal(err)
				}
				if got := fingerprint(t, m); got != c.hash {
					t.Errorf("%d workers: %s with %d leaves, want %s", workers, got,
						m.(*model.Ensemble).Trees[0].NumLeaves(), c.hash)
				}
			}
		})
	}
}
