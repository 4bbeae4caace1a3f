package table

import (
	"fmt"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

func TestPartitions(t *testing.T) {
	for path, want := range map[string]string{
		"a.csv":                             "",
		"x=1.csv":                           "",
		"s/y=2026/m=01/a.csv":               "y:2026 m:01",
		"k=v/s/y=2026/a.csv":                "y:2026",
		"s/shop=M%C3%BCn%20/a=b=c/a.csv":    "shop:Mün  a:b=c",
		"s/100%25=50%/a.csv":                "100%:50%",
		"s/y=__HIVE_DEFAULT_PARTITION__/a":  "y:-",
		"s/y=/a":                            "y:",
		"s/=1/a":                            "",
		"s/y=1/y=2/a":                       "y:2", // the innermost one
		"y=1":                               "",
		"/y=1/a":                            "y:1",
		"bucket/sales/y=1/part-0=x.parquet": "y:1",
	} {
		got := ""
		for i, p := range Partitions(path) {
			if i > 0 {
				got += " "
			}
			if p.Missing {
				p.Value = "-"
			}
			got += fmt.Sprintf("%s:%s", p.Key, p.Value)
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}

func TestPartitionKeys(t *testing.T) {
	files := [][]Partition{
		{{Key: "y", Value: "1"}, {Key: "m", Value: "2"}},
		{{Key: "m", Value: "3"}, {Key: "y", Value: "1"}},
	}
	for _, c := range []struct {
		options data.ReadOptions
		names   []string
		want    []string
	}{
		{data.ReadOptions{}, nil, []string{"m"}},
		{data.ReadOptions{}, []string{"m"}, nil},
		{data.ReadOptions{Ignore: []string{"y"}}, nil, []string{"y", "m"}},
		{data.ReadOptions{Numeric: []string{"y"}}, []string{"m"}, []string{"y"}},
	} {
		if got := NewPlan(&c.options, nil).PartitionKeys(files, c.names); !slices.Equal(got, c.want) {
			t.Errorf("%+v: got %q, want %q", c, got, c.want)
		}
	}
}
