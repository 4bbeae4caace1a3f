package quality_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// clean is a table in the making of which nothing is wrong.
type clean struct {
	*rand.Rand
	n       int
	columns []data.NamedColumn
	roles   data.Roles
	test    float64 // the fraction of the rows that are tested, split as the roles ask for
}

// add adds a column of a value for each row.
func add[T any](c *clean, name string, value func(row int) T) []T {
	values := make([]T, c.n)
	for i := range values {
		values[i] = value(i)
	}
	c.columns = append(c.columns, data.NamedColumn{Name: name, Values: values})
	return values
}

func (c *clean) normal(name string) []float64 {
	return add(c, name, func(int) float64 { return c.NormFloat64() })
}

func (c *clean) choice(name string, texts ...string) []string {
	return add(c, name, func(int) string { return texts[c.IntN(len(texts))] })
}

// number adds a label that is partly what a function makes of a row.
func (c *clean) number(of func(row int) float64) {
	c.roles.Label = "y"
	add(c, "y", func(i int) float64 { return of(i) + c.NormFloat64() })
}

// class adds a label of two classes, of which one becomes likely where a function is large.
func (c *clean) class(of func(row int) float64) {
	c.roles.Label = "y"
	add(c, "y", func(i int) string {
		return []string{"no", "yes"}[map[bool]int{true: 1}[c.Float64() < 1/(1+math.Exp(-of(i)))]]
	})
}

// levels are so many names.
func levels(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("%c%c", 'a'+i/26%26, 'a'+i%26)
	}
	return names
}

func onDay(day int) time.Time { return time.Date(2015, 1, 1+day, 0, 0, 0, 0, time.UTC) }

// cleanTables are kinds of tables that get no warning. Each has a label unless it is about tables
// without, and a feature that is worth something.
func cleanTables() map[string]func(c *clean) {
	return map[string]func(c *clean){
		"numbers": func(c *clean) {
			x, z := c.normal("x"), c.normal("z")
			c.number(func(i int) float64 { return 2*x[i] - z[i] })
		},
		"no label": func(c *clean) { c.normal("x"); c.choice("city", levels(30)...) },
		"categories": func(c *clean) {
			city := c.choice("city", levels(40)...)
			c.choice("color", "red", "green", "blue")
			c.class(func(i int) float64 { return float64(city[i][1]-'a')/8 - 1 })
		},
		"whole numbers": func(c *clean) {
			age := add(c, "age", func(int) int { return 18 + c.IntN(70) })
			add(c, "children", func(int) int { return c.IntN(5) })
			c.class(func(i int) float64 { return float64(age[i]-50) / 10 })
		},
		"flags": func(c *clean) {
			for k := range 6 {
				add(c, fmt.Sprint("flag ", k), func(int) bool { return c.IntN(k+2) == 0 })
			}
			c.class(func(i int) float64 { return 0 })
		},
		"dates": func(c *clean) {
			add(c, "day", func(int) time.Time { return onDay(c.IntN(2000)) })
			x := c.normal("x")
			c.number(func(i int) float64 { return 3 * x[i] })
		},
		"dates in their order": func(c *clean) {
			add(c, "day", func(i int) time.Time { return onDay(i * 2000 / c.n) })
			x := c.normal("x")
			c.class(func(i int) float64 { return 3 * x[i] })
		},
		"dates of one month": func(c *clean) {
			add(c, "day", func(int) time.Time { return onDay(c.IntN(28)) })
			x := c.normal("x")
			c.number(func(i int) float64 { return 3 * x[i] })
		},
		"times of the day": func(c *clean) {
			at := add(c, "at", func(int) time.Time { return onDay(0).Add(time.Duration(c.IntN(1e9)) * time.Millisecond) })
			c.number(func(i int) float64 { return 3 * math.Sin(float64(at[i].Hour())/4) })
		},
		"two dates": func(c *clean) {
			from := add(c, "from", func(int) time.Time { return onDay(c.IntN(2000)) })
			to := add(c, "to", func(i int) time.Time { return from[i].AddDate(0, 0, c.IntN(60)) })
			c.number(func(i int) float64 { return to[i].Sub(from[i]).Hours() / 500 })
		},
		"accounts": func(c *clean) { // numbers of accounts, which differ
			add(c, "account", func(int) int { return 1e8 + c.IntN(8e8) })
			x := c.normal("x")
			c.class(func(i int) float64 { return 2 * x[i] })
		},
		"users": func(c *clean) { // of several rows, each of its own label
			add(c, "user_id", func(int) int { return 1e5 + 37*c.IntN(c.n/5) })
			x := c.normal("x")
			c.class(func(i int) float64 { return 2 * x[i] })
		},
		"family names": func(c *clean) { // four fifths of them differ
			add(c, "name", func(int) string { return fmt.Sprint("Mc", c.IntN(c.n*2)) })
			x := c.normal("x")
			c.number(func(i int) float64 { return x[i] })
		},
		"products": func(c *clean) { // codes of which new rows have the same
			price := make([]float64, 200)
			for k := range price {
				price[k] = 2 * c.NormFloat64()
			}
			code := add(c, "place", func(int) int { return c.IntN(200) })
			c.number(func(i int) float64 { return price[code[i]] })
		},
		"postal codes": func(c *clean) {
			add(c, "zip", func(int) string { return fmt.Sprintf("%05d", 501+c.IntN(300)*13) })
			x := c.normal("x")
			c.number(func(i int) float64 { return x[i] })
		},
		"wide": func(c *clean) {
			c.n = 200
			x := c.normal("x")
			for k := range 300 {
				c.normal(fmt.Sprint("x", k))
			}
			c.class(func(i int) float64 { return 2 * x[i] })
		},
		"wide and sparse": func(c *clean) {
			c.n = 300
			for k := range 400 {
				add(c, fmt.Sprint("word ", k), func(int) int { return map[bool]int{true: 1}[c.IntN(15) == 0] })
			}
			x := c.normal("x")
			c.class(func(i int) float64 { return 2 * x[i] })
		},
		"tall": func(c *clean) {
			c.n = 40_000
			x := c.normal("x")
			c.choice("city", levels(200)...)
			c.class(func(i int) float64 { return 2 * x[i] })
		},
		"skewed": func(c *clean) {
			income := add(c, "income", func(int) float64 { return math.Round(math.Exp(10 + 2*c.NormFloat64())) })
			add(c, "debt", func(int) float64 { return math.Round(1e4 * math.Pow(c.Float64(), -1.2)) })
			c.class(func(i int) float64 { return math.Log(income[i]+1) - 10 })
		},
		"mostly zero": func(c *clean) {
			gain := add(c, "gain", func(int) int { return max(0, c.IntN(9000)-8000) * 10 })
			add(c, "loss", func(int) int { return max(0, c.IntN(90)-80) })
			c.class(func(i int) float64 { return float64(gain[i]) / 5000 })
		},
		"imbalanced": func(c *clean) {
			c.n = 1200
			x := c.normal("x")
			c.class(func(i int) float64 { return x[i] - 2 })
		},
		"five classes": func(c *clean) {
			x := c.normal("x")
			c.roles.Label = "y"
			add(c, "y", func(i int) string { return levels(5)[min(4, int(math.Abs(x[i]+c.NormFloat64())*2))] })
		},
		"twenty classes": func(c *clean) {
			c.n = 1500
			x := c.normal("x")
			c.roles.Label = "y"
			add(c, "y", func(i int) string { return levels(20)[int(19/(1+math.Exp(-x[i]-c.NormFloat64())))] })
		},
		"a strong feature": func(c *clean) {
			x := c.normal("x")
			c.number(func(i int) float64 { return 5 * x[i] })
		},
		"a strong feature of classes": func(c *clean) {
			x := c.normal("x")
			c.class(func(i int) float64 { return 6 * x[i] })
		},
		"near copies": func(c *clean) {
			x := c.normal("x")
			add(c, "x, rounded", func(i int) float64 { return math.Round(x[i]*100) / 100 })
			add(c, "x, of error", func(i int) float64 { return x[i] + c.NormFloat64()/100 })
			c.class(func(i int) float64 { return 2 * x[i] })
		},
		"missing values": func(c *clean) {
			x := add(c, "x", func(int) float64 { return []float64{c.NormFloat64(), math.NaN()}[c.IntN(10)/7] })
			add(c, "seldom", func(int) float64 { return []float64{math.NaN(), c.NormFloat64()}[c.IntN(20)/19] })
			add(c, "city", func(int) string { return []string{"", "a", "b"}[c.IntN(3)] })
			c.class(func(i int) float64 { return map[bool]float64{true: 1}[x[i] > 0] })
		},
		"a survey": func(c *clean) { // rows of few values are alike by chance
			var all [][]int
			for k := range 5 {
				all = append(all, add(c, fmt.Sprint("answer ", k), func(int) int { return 1 + c.IntN(4) }))
			}
			c.class(func(i int) float64 { return float64(all[0][i]+all[1][i]) - 5 })
		},
		"prices": func(c *clean) {
			price := add(c, "price", func(int) float64 { return float64(5*(1+c.IntN(20))) - 0.01 })
			add(c, "discount", func(int) float64 { return float64(c.IntN(101)) })
			c.number(func(i int) float64 { return price[i] / 10 })
		},
		"years": func(c *clean) {
			built := add(c, "built", func(int) int { return 1880 + c.IntN(140) })
			add(c, "sold", func(int) int { return 2006 + c.IntN(5) })
			c.number(func(i int) float64 { return float64(built[i]) / 20 })
		},
		"sorted by a code": func(c *clean) {
			code := add(c, "ward", func(i int) int { return i / 9 })
			x := c.normal("x")
			c.class(func(i int) float64 { return float64(code[i]%7) - 3 + x[i] })
		},
		"a time series": func(c *clean) {
			add(c, "day", func(i int) time.Time { return onDay(i) })
			was := 0.0
			series := add(c, "before", func(int) float64 { was = 0.9*was + c.NormFloat64(); return was })
			c.roles.Time, c.test = "day", 0.3
			c.number(func(i int) float64 { return series[i] })
		},
		"a time series that grows": func(c *clean) {
			c.roles.Time, c.roles.TimeFeature, c.test = "day", true, 0.3
			add(c, "day", func(i int) time.Time { return onDay(i) })
			x := c.normal("x")
			add(c, "years", func(i int) float64 { return 2015 + float64(i/2)/180 })
			c.roles.Label = "y"
			add(c, "y", func(i int) float64 { return x[i] + c.NormFloat64() })
		},
		"patients": func(c *clean) {
			ages := make([]int, c.n/4)
			for k := range ages {
				ages[k] = 20 + c.IntN(60)
			}
			of := add(c, "patient", func(i int) int { return i / 4 })
			add(c, "age", func(i int) int { return ages[min(of[i], len(ages)-1)] })
			c.normal("pressure")
			c.roles.Group, c.test = "patient", 0.25
			c.class(func(i int) float64 { return float64(ages[min(of[i], len(ages)-1)]-50) / 10 })
		},
		"few sites": func(c *clean) {
			var sites [12]float64
			for k := range sites {
				sites[k] = 3 * c.NormFloat64()
			}
			of := add(c, "site", func(i int) int { return i % 12 })
			add(c, "level", func(i int) float64 { return sites[of[i]] + c.NormFloat64()/5 })
			c.roles.Group, c.test = "site", 0.25
			x := c.normal("x")
			c.number(func(i int) float64 { return x[i] })
		},
		"fifteen rows": func(c *clean) {
			c.n = 15
			c.choice("outlook", "sunny", "rain", "clouds")
			add(c, "wind", func(int) int { return c.IntN(40) })
			c.class(func(int) float64 { return 0 })
		},
		"seven rows of names": func(c *clean) {
			c.n = 7
			add(c, "name", func(i int) string { return fmt.Sprint("n", i) })
			add(c, "town", func(i int) string { return fmt.Sprint("t", i*3%7) })
			c.normal("x")
		},
	}
}

// No warning for tables of which nothing is wrong, of every kind.
func TestCleanTables(t *testing.T) {
	tables := cleanTables()
	if len(tables) < 30 {
		t.Fatalf("%d kinds of tables", len(tables))
	}
	seeds := uint64(1)
	if !testing.Short() {
		seeds = 4
	}
	if tier.Night() {
		seeds = 40
	}
	for name, fill := range tables {
		t.Run(name, func(t *testing.T) {
			for seed := range seeds {
				c := &clean{Rand: rand.New(rand.NewPCG(seed, 7)), n: 700, test: 0.2}
				fill(c)
				ds := roles(t, c.roles, c.columns...)
				train, test := data.AllRows(c.n), []int32(nil)
				if c.n >= 100 {
					once := split.HoldOut{Kind: split.DefaultKind(&ds.Target), Seed: seed, Test: c.test}
					var err error
					if train, _, test, err = once.Sets(&ds.Target, train); err != nil {
						t.Fatal(err)
					}
				}
				slices.Sort(train)
				for _, w := range check(t, ds, train, test) {
					t.Errorf("seed %d: %s: %s", seed, w.Check, w)
				}
				for _, w := range check(t, ds, nil, nil) {
					t.Errorf("seed %d, all rows: %s: %s", seed, w.Check, w)
				}
			}
		})
	}
}
