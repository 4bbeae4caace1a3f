package quality_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// The warnings of real tables, all of which are true. Each new one needs a reason in a decision.
func TestRealTables(t *testing.T) {
	tier.NotShort(t, "reads 400,000 rows")
	root := os.Getenv("COPPICE_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	if _, err := os.Stat(filepath.Join(root, "data")); err != nil {
		t.Skipf("the real tables of ADR 48 may not be redistributed: COPPICE_DATA names their folder: %v", err)
	}
	for _, c := range []struct {
		file, label string
		want        []string
	}{
		{"titanic/titanic.csv", "Survived", []string{"identifier [Name]", "identifier [PassengerId]"}},
		{"spambase/spambase.csv", "spam", []string{"duplicate_rows 391"}},
		{"letter/letter.csv", "lettr", []string{"duplicate_rows 1332"}},
		{"iris/iris.csv", "species", []string{"duplicate_rows 3"}},
		{"mushroom/mushroom.csv", "edibility", []string{"constant [veil-type]"}},
		{"flights-houston2011/hflights.csv.gz", "ArrDelay", []string{"constant [CancellationCode]", "constant [Year Cancelled Diverted]"}},
		{"bike/hour.csv.gz", "cnt", []string{"leakage [registered casual]", "identifier [instant]", "time_order [dteday]", "duplicate_columns [mnth]"}},
		{"bike/day.csv", "cnt", []string{"leakage [registered casual]", "identifier [instant]", "time_order [dteday]", "duplicate_columns [mnth]"}},
		{"ames/ames_housing.csv.gz", "Sale_Price", []string{"constant [Misc_Feature_2]", "duplicate_columns [Condition_3]"}},
		{"adult/adult-train.csv.gz", "income", []string{"sentinel [capital-gain] 159"}},
		{"pima/pima.csv", "diabetes", nil},
		{"sonar/sonar.csv", "class", nil},
		{"california-housing/housing.csv.gz", "median_house_value", nil},
		{"covtype-100k/covtype-100k.csv.gz", "label", nil},
		{"amazon-access/train.csv.gz", "ACTION", nil},
		{"flight-delays-100k/flight_delays_train.csv.gz", "dep_delayed_15min", nil},
	} {
		f, err := csvdata.Open(csvdata.Options{}, filepath.Join(root, "data", c.file)).Frame(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ds, err := data.Roles{Label: c.label, DropUnlabeled: true}.Apply(f)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, w := range check(t, ds, nil, nil) {
			text := w.Check
			if w.Columns != nil {
				text += fmt.Sprint(" ", w.Columns)
			}
			if w.Rows > 0 {
				text += fmt.Sprint(" ", w.Rows)
			}
			got = append(got, text)
		}
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s: %q, want %q", c.file, got, c.want)
		}
	}
}
