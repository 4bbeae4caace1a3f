package csvdata

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/tabletest"
)

// The facts were counted with pandas 1.5.3.
func TestRealFiles(t *testing.T) {
	for _, c := range []struct {
		name          string
		rows, columns int
		categorical   int // columns
		missing       int // cells
		last          string
		options       Options
	}{
		{name: "iris/iris.csv", rows: 150, columns: 5, categorical: 1, last: ":151"},
		{name: "spambase/spambase.csv", rows: 4601, columns: 58, last: ":4602"},
		{name: "letter/letter.csv", rows: 20000, columns: 17, categorical: 1, last: ":20001"},
		{name: "fish/fish.csv", rows: 159, columns: 7, categorical: 1, last: ":160"},
		{name: "titanic/titanic.csv", rows: 891, columns: 12, categorical: 5, missing: 177 + 687 + 2, last: ":892"},
		{name: "adult/adult-train.csv.gz", rows: 32561, columns: 15, categorical: 9, missing: 4262, last: ":32562"},
		{name: "adult/adult-test.csv.gz", rows: 16281, columns: 15, categorical: 9, missing: 2203, last: ":16282"},
		{name: "mushroom/mushroom.csv", rows: 8124, columns: 23, categorical: 23, missing: 2480, last: ":8125"},
		{name: "california-housing/housing.csv.gz", rows: 20640, columns: 10, categorical: 1, missing: 207, last: ":20641"},
		{name: "amazon-access/train.csv.gz", rows: 32769, columns: 10, categorical: 9, last: ":32770",
			options: Options{ReadOptions: data.ReadOptions{AllCategorical: true,
				Numeric: []string{"ACTION"}}}},
		{name: "higgs-sample/binary.train.gz", rows: 7000, columns: 29, last: ":7000", options: Options{NoHeader: true}},
		{name: "flight-delays-100k/flight_delays_train.csv.gz", rows: 100000, columns: 9, categorical: 7, last: ":100001"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := Open(c.options, tabletest.Shared(t, c.name)).Frame(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			categorical, missing := 0, 0
			for j := range f.Columns {
				if f.Schema.Fields[j].Kind == data.Categorical {
					categorical++
				}
				for i := range f.Rows() {
					if f.IsMissing(i, j) {
						missing++
					}
				}
			}
			last := f.Locate(f.Rows() - 1)
			if f.Rows() != c.rows || len(f.Columns) != c.columns || categorical != c.categorical ||
				missing != c.missing || filepath.Base(last) != filepath.Base(c.name)+c.last {
				t.Errorf("%d rows, %d columns, %d categorical, %d missing, last row at %s",
					f.Rows(), len(f.Columns), categorical, missing, last)
			}
		})
	}
}

func TestAdult(t *testing.T) {
	f, err := Open(Options{}, tabletest.Shared(t, "adult/adult-train.csv.gz")).Frame(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	income := f.Schema.Index("income")
	if got := f.Schema.Fields[income].Levels; len(got) != 2 || got[0] != "<=50K" ||
		got[1] != ">50K" {
		t.Fatalf("income has levels %q", got)
	}
	rich := 0
	for _, code := range f.Columns[income].Codes() {
		rich += int(code)
	}
	if rich != 7841 {
		t.Errorf("%d rows above 50K", rich)
	}
	// The test file ends its labels in a full stop: by the training schema they are all unseen.
	test, err := Open(Options{ReadOptions: data.ReadOptions{Schema: &f.Schema}}, tabletest.Shared(t, "adult/adult-test.csv.gz")).Frame(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for row, code := range test.Columns[income].Codes() {
		if code != data.UnseenCode {
			t.Fatalf("%s: income has code %d", test.Locate(row), code)
		}
	}
	country := f.Schema.Fields[f.Schema.Index("native-country")].Levels
	if len(country) != 41 || country[0] != "Cambodia" {
		t.Errorf("%d countries from %q", len(country), country[0])
	}
}

func TestFishHasNoByteOrderMarkInItsNames(t *testing.T) {
	f, err := Open(Options{}, tabletest.Shared(t, "fish/fish.csv")).Frame(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if f.Schema.Fields[0].Name != "Species" || len(f.Schema.Fields[0].Levels) != 7 ||
		f.Columns[1].Number(0) != 242 || f.Columns[6].Number(158) != 1.8792 {
		t.Errorf("got %+v", f.Schema.Fields[0])
	}
}
