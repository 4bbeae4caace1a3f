package reproductions

import (
	"context"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/c45"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
)

// golf is Quinlan's table of fourteen days, by the splits that ID3 tries at the root and on sunny
// days.
var golf = Reproduction{
	Name:  "golf",
	Title: "Fourteen days of weather: gains of ID3, at the root and on sunny days",
	Source: "Quinlan 1986, section 4; Quinlan 1993, section 2.2, for the gain ratio; Witten & Frank " +
		"2005, section 4.3, where said; Mitchell 1997, section 3.4, for sunny days",
	run: golfOf,
}

// golfText describes the reproduction.
var golfText = []string{
	"9 days are good for golf and 5 are not. Outlook has the greatest gain, and is the root. Sunny " +
		"days are divided by humidity, which leaves pure branches.",
	"By formula: H(counts) less the mean of H over the branches, weighted by their rows, with H in " +
		"bits. Five printed gains subtract numbers of three digits, and the verdict shows which.",
}

// golfEarly is how gains are printed that differ in their last digit: by numbers of three digits.
var golfEarly = map[Print]struct {
	from  string
	value float64
}{
	"0.246": {"0.940 - 0.694", 0.940 - 0.694},
	"0.151": {"0.940 - 0.985/2 - 0.592/2", 0.940 - 0.985/2 - 0.592/2},
	"0.970": {"0.970 - 0, for 0.97095", 0.970},
	"0.570": {"0.970 - 2/5", 0.970 - 2./5},
	"0.019": {"0.970 - 2/5 - 0.918 x 3/5", 0.970 - 2./5 - 0.918*3/5},
}

// golfMean is the mean entropy of branches, each of two counts of classes, weighted by their rows.
func golfMean(branches ...[2]float64) float64 {
	sum, rows := 0.0, 0.0
	for _, b := range branches {
		sum += float64((b[0] + b[1]) * bits(b[0], b[1]))
		rows += b[0] + b[1]
	}
	return sum / rows
}

func golfOf(ctx context.Context, env *Env) *Result {
	ds := must(env.Read(ctx, "weather/weather.nominal.csv", "play", 14))
	m := fit(ctx, ds, learn.Job{}, c45.ID3Name)
	t := m.(*model.Ensemble).Trees[0]
	sunny := t.Child(0)
	for i, level := range ds.Schema.Fields[0].Levels {
		if level == "sunny" {
			sunny += int32(i)
		}
	}
	type split struct{ gain, left, info, ratio float64 }
	var nodes [2]map[string]split
	for i, at := range []int32{0, sunny} {
		tried := must(catalog.Candidates(ctx, m, ds, learn.TreeNode{Node: at}))
		nodes[i] = map[string]split{}
		for column, list := range tried.Columns {
			for _, c := range list {
				gain := c.Gain / tried.Whole.Weight
				nodes[i][ds.Schema.Fields[column].Name] = split{gain, tried.Whole.Impurity - gain,
					c.SplitInfo, c.Ratio}
			}
		}
	}
	root, days := nodes[0], nodes[1]
	outlook := golfMean([2]float64{2, 3}, [2]float64{4, 0}, [2]float64{3, 2})
	humidity := golfMean([2]float64{3, 4}, [2]float64{6, 1})
	info := bits(5, 4, 5)
	gain := bits(9, 5) - outlook
	r := &Result{Text: golfText}
	for _, c := range []struct {
		what      string
		published Print
		formula   float64
		ours      float64
	}{
		{"H(Y), bits", "0.940", bits(9, 5), t.Stats.Impurity[0]},
		{"H(Y) of sunny days", "0.971", bits(2, 3), t.Stats.Impurity[sunny]},
		{"H(Y|outlook)", "0.694", outlook, root["outlook"].left},
		{"gain of outlook", "0.246", gain, root["outlook"].gain},
		{"gain of temperature", "0.029", bits(9, 5) - golfMean([2]float64{2, 2}, [2]float64{4, 2},
			[2]float64{3, 1}), root["temperature"].gain},
		{"gain of humidity", "0.151", bits(9, 5) - humidity, root["humidity"].gain},
		{"gain of windy", "0.048", bits(9, 5) - golfMean([2]float64{6, 2}, [2]float64{3, 3}),
			root["windy"].gain},
		{"gain of outlook, Witten & Frank", "0.247", gain, root["outlook"].gain},
		{"gain of humidity, Witten & Frank", "0.152", bits(9, 5) - humidity, root["humidity"].gain},
		{"split information of outlook", "1.577", info, root["outlook"].info},
		{"gain ratio of outlook", "0.156", gain / info, root["outlook"].ratio},
		{"sunny days: gain of humidity", "0.970", bits(2, 3), days["humidity"].gain},
		{"sunny days: gain of temperature", "0.570", bits(2, 3) - 2./5, days["temperature"].gain},
		{"sunny days: gain of windy", "0.019", bits(2, 3) - golfMean([2]float64{1, 1},
			[2]float64{1, 2}), days["windy"].gain},
	} {
		claim := Claim{What: c.what, Published: c.published, Formula: given(c.formula),
			Ours: c.ours, Digits: 4}
		if before, ok := golfEarly[c.published]; ok {
			claim.Early, claim.Reason = given(before.value), before.from
		}
		r.Claims = append(r.Claims, claim)
	}
	r.Pictures = []Picture{treePicture("", "", m, "play", "entropy")}
	return r
}
