package pmml_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/model"
)

// stages returns a model whose segments are trees of two leaves: as many for each of some scores,
// tree t with the values -(t + 1) and t + 1. One score is a MiningModel of a method, several are
// sums before a softmax.
func stages(method string, trees, scores int) string {
	segments := func(score int) string {
		text := `<Segmentation multipleModelMethod="` + method + `">`
		for t := range trees {
			text += fmt.Sprintf(`<Segment><True/><TreeModel functionName="regression" noTrueChildStrategy="returnLastPrediction">%s
<Node id="0" score="%d"><True/><Node id="1" score="%d"><SimplePredicate field="x" operator="greaterThan" value="1"/></Node>
</Node></TreeModel></Segment>`, schema, -(t + 1), t+1+10*score)
		}
		return text + `</Segmentation>`
	}
	if scores == 1 {
		return dictionary + `<MiningModel functionName="regression">` + schema + segments(0) + `</MiningModel></PMML>`
	}
	text := dictionary + `<MiningModel functionName="classification">` +
		strings.Replace(schema, `"y"`, `"z"`, 1) + `<Segmentation multipleModelMethod="modelChain">`
	tables := ""
	for k := range scores {
		name := fmt.Sprint("sum", k)
		text += `<Segment><True/><MiningModel functionName="regression">` + schema + `<Output><OutputField name="` +
			name + `" feature="predictedValue"/></Output>` + segments(k) + `</MiningModel></Segment>`
		tables += equation([]string{"no", "yes"}[k], name, 0)
	}
	return text + `<Segment><True/><RegressionModel functionName="classification" normalizationMethod="softmax">` +
		tables + `</RegressionModel></Segment></Segmentation></MiningModel></PMML>`
}

// TestRounds: files have no rounds. A round is one tree of each score, and the first rounds predict
// what the file would predict if it had no more segments. All are the default.
func TestRounds(t *testing.T) {
	const trees = 5
	for _, c := range []struct {
		method string
		scores int
	}{{"sum", 1}, {"average", 1}, {"sum", 2}} {
		e, _ := decode(t, []byte(stages(c.method, trees, c.scores)))
		if e.NumRounds() != trees || len(e.Trees) != trees*c.scores || e.Best != 0 || e.Scores() != c.scores {
			t.Fatalf("%s of %d scores: %d rounds of %d trees, by default %d", c.method, c.scores,
				e.NumRounds(), len(e.Trees), e.Best)
		}
		for rounds := 1; rounds <= trees; rounds++ {
			_, ref := decode(t, []byte(stages(c.method, rounds, c.scores)))
			p, err := e.Bind(&e.Meta.Schema, model.Options{Output: model.Raw, Rounds: rounds, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			got, want := make([]float64, c.scores), make([]float64, c.scores)
			for _, x := range []float64{0, 2} {
				row := []float64{x, 0, 0, 0}
				if err := p.PredictRow(got, row); err != nil {
					t.Fatal(err)
				}
				ref.Raw(want, row)
				for k := range want {
					if !(math.Abs(got[k]-want[k]) <= 1e-12) {
						t.Errorf("%s of %d scores, %d rounds: score %d is %v, want %v", c.method, c.scores,
							rounds, k, got[k], want[k])
					}
				}
			}
		}
	}
}
