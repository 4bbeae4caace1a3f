//go:build linux

package newcategories

import (
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

const (
	binary     = "binary"
	regression = "regression"
)

// table is a table of which a column loses some categories.
type table struct {
	name, file    string // "" as file: generated
	label, task   string
	column        string
	ignore        string // columns that give the label away or name single rows
	categorical   string // numbers that are categories
	deviation     float64
	generatedRows int
}

var tables = []table{
	{name: "thirty shops", label: "y", task: regression, column: "shop", generatedRows: 3000},
	{name: "twelve hundred shops", label: "y", task: regression, column: "shop",
		generatedRows: 12000},
	{name: "adult", file: "adult/adult-train.csv.gz", label: "income", task: binary,
		column: "occupation"},
	{name: "adult", file: "adult/adult-train.csv.gz", label: "income", task: binary,
		column: "relationship"},
	{name: "ames", file: "ames/ames_housing.csv.gz", label: "Sale_Price", task: regression,
		column: "Neighborhood"},
	{name: "ames", file: "ames/ames_housing.csv.gz", label: "Sale_Price", task: regression,
		column: "Overall_Qual"},
	{name: "bike", file: "bike/hour.csv.gz", label: "cnt", task: regression, column: "hr",
		ignore: "instant,dteday,casual,registered", categorical: "hr"},
	{name: "mushroom", file: "mushroom/mushroom.csv", label: "edibility", task: binary,
		column: "gill-color"},
	{name: "flight delays", file: "flight-delays-100k/flight_delays_train.csv.gz",
		label: "dep_delayed_15min", task: binary, column: "UniqueCarrier"},
	{name: "flight delays", file: "flight-delays-100k/flight_delays_train.csv.gz",
		label: "dep_delayed_15min", task: binary, column: "Origin"},
	{name: "houston", file: "flights-houston2011/hflights.csv.gz", label: "AirTime",
		task: regression, column: "Dest",
		ignore: "ActualElapsedTime,ArrTime,Distance,ArrDelay,FlightNum,TailNum"},
	{name: "amazon", file: "amazon-access/train.csv.gz", label: "ACTION", task: binary,
		column: "ROLE_DEPTNAME", categorical: "all"},
}

// read returns the header and a random choice of so many rows of a table, in their order. Rows
// without a label are left out.
func (t *table) read(folder string, most int) (header []string, rows [][]string, err error) {
	if t.file == "" {
		header, rows = t.generate()
	} else if header, rows, err = readFile(filepath.Join(folder, t.file)); err != nil {
		return nil, nil, err
	}
	for _, name := range strings.Split(t.ignore, ",") {
		at := slices.Index(header, name)
		if at < 0 {
			continue
		}
		header = slices.Delete(header, at, at+1)
		for i := range rows {
			rows[i] = slices.Delete(rows[i], at, at+1)
		}
	}
	label := slices.Index(header, t.label)
	if label < 0 || slices.Index(header, t.column) < 0 {
		return nil, nil, fmt.Errorf("no column %q or %q", t.label, t.column)
	}
	rows = slices.DeleteFunc(rows, func(r []string) bool { return r[label] == "" || r[label] == "NA" })
	if len(rows) > most {
		chosen := rng.New(1).Perm(len(rows))[:most]
		slices.Sort(chosen)
		some := make([][]string, most)
		for i, r := range chosen {
			some[i] = rows[r]
		}
		rows = some
	}
	if t.task == regression {
		y := make([]float64, len(rows))
		for i, r := range rows {
			if y[i], err = strconv.ParseFloat(r[label], 64); err != nil {
				return nil, nil, err
			}
		}
		_, t.deviation = pairs.Moments(y)
	}
	return header, rows, nil
}

// readFile reads a CSV file, compressed or not. Texts are without the spaces around them.
func readFile(path string) ([]string, [][]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	from := io.Reader(f)
	if strings.HasSuffix(path, ".gz") {
		if from, err = gzip.NewReader(f); err != nil {
			return nil, nil, err
		}
	}
	r := csv.NewReader(from)
	r.TrimLeadingSpace = true
	all, err := r.ReadAll()
	if err != nil {
		return nil, nil, err
	}
	return all[0], all[1:], nil
}

// generate makes rows of shops: a label is the effect of its shop, a number's, and noise. A fifth
// of the shops has most of the rows.
func (t *table) generate() ([]string, [][]string) {
	s := rng.New(5)
	shops := 30
	if t.generatedRows > 5000 {
		shops = 1200
	}
	effect := make([]float64, shops)
	for i := range effect {
		effect[i] = 2.6 * normal(s)
	}
	rows := make([][]string, t.generatedRows)
	for i := range rows {
		shop := s.Intn(shops)
		if s.Intn(2) == 0 {
			shop = s.Intn(shops/5 + 1)
		}
		x := s.Float64()
		y := effect[shop] + x + 0.5*normal(s)
		rows[i] = []string{"s" + strconv.Itoa(shop), strconv.FormatFloat(x, 'g', 6, 64),
			strconv.FormatFloat(y, 'g', 6, 64)}
	}
	return []string{"shop", "x", "y"}, rows
}

// normal samples a standard normal number.
func normal(s *rng.Stream) float64 {
	return math.Sqrt(-2*math.Log(1-s.Float64())) * math.Cos(2*math.Pi*s.Float64())
}
