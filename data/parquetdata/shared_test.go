package parquetdata

import (
	"strconv"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/data/table"
	"github.com/coppice-ml/coppice/data/table/tabletest"
)

// R's data sets, written by other tools as Parquet and as CSV, are the same tables.
func TestCSVTwins(t *testing.T) {
	for _, name := range []string{"ISLR-Carseats", "ISLR-Default", "ISLR-Hitters",
		"carData-TitanicSurvival", "palmerpenguins-penguins"} {
		t.Run(name, func(t *testing.T) {
			got, err := Read(t.Context(), table.Options{},
				tabletest.Shared(t, "formats/parquet-r/"+name+".parquet"))
			if err != nil {
				t.Fatal(err)
			}
			want, err := csvdata.Read(t.Context(), csvdata.Options{},
				tabletest.Shared(t, "formats/parquet-r/"+name+".csv.gz"))
			if err != nil {
				t.Fatal(err)
			}
			tabletest.Same(t, got, want, 1e-14) // one of the writers dropped digits
		})
	}
}

// The facts were counted with other tools: the names and kinds of alltypes by the Apache
// conformance suite's own description of its files, the sizes of the two large ones by R.
func TestConformanceFiles(t *testing.T) {
	for name, want := range map[string]string{
		"alltypes_plain.parquet":            "id 4 5 6 7 2 3 0 1\n",
		"alltypes_plain.snappy.parquet":     "id 6 7\n",
		"alltypes_dictionary.parquet":       "id 0 1\n",
		"int32_decimal.parquet":             "value " + upTo(24) + "\n",
		"int64_decimal.parquet":             "value " + upTo(24) + "\n",
		"fixed_length_decimal.parquet":      "value " + upTo(24) + "\n",
		"float16_nonzeros_and_nans.parquet": "x - 1 -2 - 0 -1 -0 2\n",
		"nan_in_stats.parquet":              "x 1 -\n",
		"single_nan.parquet":                "mycol -\n",
		"lz4_raw_compressed.parquet":        "c0 1.5936048e+09 1.5936048e+09 1.593604801e+09 1.593604801e+09\n",
	} {
		f, err := Read(t.Context(), table.Options{},
			tabletest.Shared(t, "formats/parquet-testing/"+name))
		if err != nil {
			t.Error(err)
			continue
		}
		if got := tabletest.Render(f.Select([]int{0})); got != want {
			t.Errorf("%s: got %s want %s", name, got, want)
		}
	}
}

// upTo returns the numbers from 1 to n.
func upTo(n int) string {
	var texts []string
	for i := range n {
		texts = append(texts, strconv.Itoa(i+1))
	}
	return strings.Join(texts, " ")
}
