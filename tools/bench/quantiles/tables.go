//go:build linux

package quantiles

import (
	"context"
	"fmt"
	"math"
	"path/filepath"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/rng"
)

// table is a table with numbers as labels, of at most so many rows; 0 = all.
type table struct {
	name string
	make func(folder string, most int) (*data.Dataset, error)
}

// tables returns four sets that are read, and six that are made.
func tables() []table {
	na := data.ReadOptions{Missing: []string{"NA"}}
	return []table{
		read("ames", "ames/ames_housing.csv.gz", "Sale_Price", na),
		read("bike", "bike/hour.csv.gz", "cnt", data.ReadOptions{}, "instant", "dteday", "casual",
			"registered"),
		read("california", "california-housing/housing.csv.gz", "median_house_value", data.ReadOptions{}),
		read("houston", "flights-houston2011/hflights.csv.gz", "ArrDelay", na, "Year", "ArrTime",
			"FlightNum", "TailNum", "ActualElapsedTime", "AirTime", "TaxiIn", "TaxiOut", "Cancelled",
			"CancellationCode", "Diverted"),
		made("arm", 8192, 8, arm), made("deliveries", 10_000, 12, deliveries),
		made("ratings", 4898, 11, ratings), made("spread", 2000, 10, spread),
		made("few rows", 800, 10, spread), made("skewed", 3000, 6, skewed),
	}
}

// read is a set of a file, without some columns.
func read(name, file, label string, o data.ReadOptions, ignore ...string) table {
	return table{name, func(folder string, most int) (*data.Dataset, error) {
		f, err := csvdata.Open(csvdata.Options{ReadOptions: o},
			filepath.Join(folder, file)).Frame(context.Background())
		if err != nil {
			return nil, err
		}
		roles := data.Roles{Label: label, Task: data.Regression, Ignore: ignore, DropUnlabeled: true}
		ds, err := roles.Apply(f)
		if err != nil || most == 0 || ds.Rows() <= most {
			return ds, err
		}
		rows := rng.New(43).Perm(ds.Rows())[:most]
		return &data.Dataset{Frame: ds.Frame.Subset(rows), Target: ds.Target.Subset(rows)}, nil
	}}
}

// made is a table of columns from 0 to 1, and a label that a function of a row and of normal noise
// returns.
func made(name string, rows, columns int, label func(x []float64, noise float64) float64) table {
	return table{name, func(_ string, most int) (*data.Dataset, error) {
		n := rows
		if most > 0 {
			n = min(n, most)
		}
		s := rng.New(47, uint64(rows), uint64(columns))
		all, y := make([][]float64, n), make([]float64, n)
		names := make([]string, columns)
		for j := range names {
			names[j] = fmt.Sprintf("x%d", j)
		}
		for i := range all {
			all[i] = make([]float64, columns)
			for j := range all[i] {
				all[i][j] = s.Float64()
			}
			y[i] = label(all[i], kernel.NormalQuantile(max(s.Float64(), 0x1p-54)))
		}
		f, err := data.FromRows(all, names)
		return &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Regression,
			Y: [][]float64{y}}}, err
	}}
}

// arm is how far the hand of an arm of eight links is from a point, whose angles are given.
func arm(x []float64, noise float64) float64 {
	angle, a, b := 0.0, 0.0, 0.0
	for _, v := range x {
		angle += math.Pi * (v - 0.5)
		a, b = a+math.Cos(angle)/8, b+math.Sin(angle)/8
	}
	return math.Hypot(a-0.5, b-0.3) + 0.05*noise
}

// deliveries is a time that grows with the distance and about an hour, times noise.
func deliveries(x []float64, noise float64) float64 {
	hour := 11 + 10*x[0]
	minutes := 15 + 15*x[1]*x[1] + 4*math.Exp(-(hour-18)*(hour-18)/2)*(1+math.Floor(2*x[2]))
	for _, v := range x[3:] {
		minutes += math.Floor(v+0.1) * 3
	}
	return minutes * math.Exp(0.18*noise)
}

// ratings are integers from 3 to 9.
func ratings(x []float64, noise float64) float64 {
	score := 5.9 + 1.2*(x[0]-0.5) - 0.9*(x[1]-0.5) + 0.7*max(x[2]-0.5, -0.2) + 2*(x[3]-0.5)*(x[4]-0.5)
	return math.Round(min(9, max(3, score+0.68*noise)))
}

// spread has noise that grows with a column: Friedman's first function (1991).
func spread(x []float64, noise float64) float64 {
	return 10*math.Sin(math.Pi*x[0]*x[1]) + 20*(x[2]-0.5)*(x[2]-0.5) + 10*x[3] + 5*x[4] +
		(0.5+2*x[5])*noise
}

// skewed has a long tail above.
func skewed(x []float64, noise float64) float64 {
	return math.Exp(1 + x[0] + x[1]*x[2] + (0.3+0.5*x[3])*noise)
}
