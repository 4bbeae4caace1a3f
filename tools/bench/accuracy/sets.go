//go:build linux

package accuracy

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/internal/rng"
)

// set is a data set: where it is, what is predicted from what, and on which rows.
type set struct {
	name, file, label string
	task              data.Task
	rows              int    // a random choice of so many rows; 0 = all
	test              string // a file of rows that follow the others; "" = none
	options           data.ReadOptions
	noHeader          bool
	ignore            []string
	split             func(rows int) []round // its customary rounds; nil: it is split as all are
}

// sets returns the sets that are read. Columns that give the label away or only count rows are left
// out, as are texts that differ in nearly every row. Large sets are limited to so many rows; 0 =
// they are not. The last three are whole sets in their customary splits, as in Hastie, Tibshirani &
// Friedman (2009, section 9.2).
func sets(limit int) []set {
	question := data.ReadOptions{Missing: []string{"?"}}
	na := data.ReadOptions{Missing: []string{"NA"}}
	nothing := data.ReadOptions{Missing: []string{}}
	return []set{
		{name: "iris", file: "iris/iris.csv", label: "species"},
		{name: "fish species", file: "fish/fish.csv", label: "Species"},
		{name: "sonar", file: "sonar/sonar.csv", label: "class"},
		{name: "soybean", file: "soybean/soybean.csv", label: "class",
			options: data.ReadOptions{Missing: []string{"?"}, AllCategorical: true}},
		{name: "pima", file: "pima/pima.csv", label: "diabetes"},
		{name: "titanic", file: "titanic/titanic.csv", label: "Survived",
			ignore: []string{"PassengerId", "Name", "Ticket", "Cabin"}},
		{name: "spambase", file: "spambase/spambase.csv", label: "spam", rows: limit},
		{name: "optdigits", file: "optdigits/optdigits.csv.gz", label: "class", rows: limit},
		{name: "letter", file: "letter/letter.csv", label: "lettr", options: nothing, rows: limit},
		{name: "adult", file: "adult/adult-train.csv.gz", label: "income", options: question,
			rows: limit},
		{name: "higgs", file: "higgs-sample/binary.train.gz", label: "f0",
			noHeader: true, rows: limit},
		{name: "covtype", file: "covtype-100k/covtype-100k.csv.gz", label: "label", rows: limit},
		{name: "flight delays", file: "flight-delays-100k/flight_delays_train.csv.gz",
			label: "dep_delayed_15min", options: nothing, rows: limit},
		{name: "amazon", file: "amazon-access/train.csv.gz", label: "ACTION",
			options: data.ReadOptions{AllCategorical: true}, rows: limit},
		{name: "mushroom", file: "mushroom/mushroom.csv", label: "edibility",
			options: data.ReadOptions{Missing: []string{"?"}, AllCategorical: true}, rows: limit},
		{name: "kdd99", file: "kdd99/kdd99-train-10pct.csv.gz", label: "label", rows: limit},
		{name: "fish weight", file: "fish/fish.csv", label: "Weight", task: data.Regression},
		{name: "ames", file: "ames/ames_housing.csv.gz", label: "Sale_Price",
			task: data.Regression, options: na},
		{name: "california", file: "california-housing/housing.csv.gz", label: "median_house_value",
			task: data.Regression, rows: limit},
		{name: "bike", file: "bike/hour.csv.gz", label: "cnt", task: data.Regression, rows: limit,
			ignore: []string{"instant", "dteday", "casual", "registered"}},
		{name: "houston", file: "flights-houston2011/hflights.csv.gz", label: "ArrDelay",
			task: data.Regression, rows: limit, options: na,
			ignore: []string{"Year", "ArrTime", "FlightNum", "TailNum", "ActualElapsedTime",
				"AirTime", "TaxiIn", "TaxiOut", "Cancelled", "CancellationCode", "Diverted"}},
		{name: "letter 16000/4000", file: "letter/letter.csv", label: "lettr", options: nothing,
			split: head(0.8)},
		{name: "spambase 3065/1536", file: "spambase/spambase.csv", label: "spam",
			split: atRandom(3065. / 4601)},
		{name: "adult 32561/16281", file: "adult/adult-train.csv.gz",
			test: "adult/adult-test.csv.gz", label: "income", options: question,
			split: head(32561. / 48842)},
	}
}

// read reads a set from the folder of the data. Rows without a label are left out. limit, if not 0,
// limits it further.
func (s *set) read(folder string, limit int) (*data.Dataset, error) {
	frame, err := s.frame(folder, s.file)
	if err != nil {
		return nil, err
	}
	if s.test != "" {
		test, err := s.frame(folder, s.test)
		if err != nil {
			return nil, err
		}
		if frame, err = data.Concat(frame, test); err != nil {
			return nil, err
		}
	}
	// as the test file of adult writes them
	full := map[string]string{"<=50K.": "<=50K", ">50K.": ">50K"}
	roles := data.Roles{Label: s.label, Task: s.task, Ignore: s.ignore, DropUnlabeled: true,
		Rename: full}
	ds, err := roles.Apply(frame)
	if err != nil {
		return nil, err
	}
	rows := s.rows
	if limit > 0 && (rows == 0 || rows > limit) {
		rows = limit
	}
	if rows == 0 || rows >= ds.Rows() {
		return ds, nil
	}
	return subset(ds, rows), nil
}

func (s *set) frame(folder, file string) (*data.Frame, error) {
	return csvdata.Open(csvdata.Options{ReadOptions: s.options, NoHeader: s.noHeader}, filepath.Join(folder, file)).Frame(context.Background())
}

// subset returns a random choice of rows, in their order, of a table whose target is a label and
// nothing else.
func subset(ds *data.Dataset, n int) *data.Dataset {
	rows := rng.New(1).Perm(ds.Rows())[:n]
	slices.Sort(rows)
	out := &data.Dataset{Frame: ds.Frame.Subset(rows), Target: ds.Target}
	if ds.Target.Class != nil {
		out.Target.Class = make([]uint32, n)
		for i, r := range rows {
			out.Target.Class[i] = ds.Target.Class[r]
		}
		return out
	}
	y := make([]float64, n)
	for i, r := range rows {
		y[i] = ds.Target.Y[0][r]
	}
	out.Target.Y = [][]float64{y}
	return out
}
