package parquetdata

import (
	"strconv"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/data/tabletest"
)

// R's data sets, written by other tools as Parquet and as CSV, are the same tables.
func TestCSVTwins(t *testing.T) {
	for _, name := range []string{"ISLR-Carseats", "ISLR-Default", "ISLR-Hitters",
		"carData-TitanicSurvival", "palmerpenguins-penguins"} {
		t.Run(name, func(t *testing.T) {
			got, err := Open(data.ReadOptions{}, tabletest.Shared(t, "formats/parquet-r/"+name+".parquet")).Frame(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			want, err := csvdata.Open(csvdata.Options{}, tabletest.Shared(t, "formats/parquet-r/"+name+".csv.gz")).Frame(t.Context())
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
		f, err := Open(data.ReadOptions{}, tabletest.Shared(t, "formats/parquet-testing/"+name)).Frame(t.Context())
		if err != nil {
			t.Error(err)
			continue
		}
		if got := tabletest.Render(f.Select([]int{0})); got != want {
			t.Errorf("%s: got %s want %s", name, got, want)
		}
	}
}

// DuckDB 1.5 packs levels in runs of 256 values, also where a page ends before. The
// sample was written by
//
//	copy (select case when i % 7 = 3 or i between 300 and 320 then null else i / 4.0 end as x,
//	    case when i % 11 = 5 then null else 'city ' || (i % 13) end as city,
//	    case when i % 5 = 0 then null else i % 3 = 0 end as flag, (i % 50)::int as k
//	    from range(700) t(i)) to 'duckdb.parquet' (format parquet, codec 'snappy')
func TestDuckDB(t *testing.T) {
	f, err := Open(data.ReadOptions{}, "testdata/duckdb.parquet").Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if f.Rows() != 700 {
		t.Fatalf("%d rows", f.Rows())
	}
	text := func(row, column int) string {
		if f.IsMissing(row, column) {
			return "-"
		}
		return f.Schema.Fields[column].Levels[f.Columns[column].Code(row)]
	}
	for i := range 700 {
		x, city, flag := strconv.FormatFloat(float64(i)/4, 'g', -1, 64), "city "+strconv.Itoa(i%13),
			strconv.FormatBool(i%3 == 0)
		got := "-"
		if !f.IsMissing(i, 0) {
			got = strconv.FormatFloat(f.Columns[0].Number(i), 'g', -1, 64)
		}
		if i%7 == 3 || 300 <= i && i <= 320 {
			x = "-"
		}
		if i%11 == 5 {
			city = "-"
		}
		if i%5 == 0 {
			flag = "-"
		}
		if got != x || text(i, 1) != city || text(i, 2) != flag || f.Columns[3].Number(i) != float64(i%50) {
			t.Fatalf("row %d: %s, %s, %s, %v, want %s, %s, %s", i, got, text(i, 1), text(i, 2),
				f.Columns[3].Number(i), x, city, flag)
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
