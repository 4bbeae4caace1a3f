package xgboost_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec/xgboost"
	"github.com/coppice-ml/coppice/model"
)

// staged is a model of rounds as XGBoost writes it: in a round each class has its trees one after
// the other. The leaves of tree t are -(t + 1) and t + 1.
type staged struct {
	rounds, parallel, classes int
	vectors                   bool // a tree feeds all classes
	starts                    bool // the file has the first tree of each round, since 2.1
	booster                   string
	best                      string // the attribute best_iteration; "" = there is none
}

func (s *staged) size() int {
	if s.vectors {
		return s.parallel
	}
	return s.parallel * s.classes
}

func (s *staged) String() string {
	var trees, info, starts, drop []string
	for t := range s.rounds * s.size() {
		if t%s.size() == 0 {
			starts = append(starts, strconv.Itoa(t))
		}
		group, leaves := t%s.size()/s.parallel, fmt.Sprintf("1.5,%d,%d", -(t+1), t+1)
		if s.vectors {
			group = 0
			trees = append(trees, strings.Replace(vectors20, "1,2,3,4,5,6]", fmt.Sprintf("%d,%d,%d,%d,%d,%d]",
				-(t+1), -(t+1), -(t+1), t+1, t+1, t+1), 1))
		} else {
			trees = append(trees, strings.Replace(stump, "1.5,-1,2", leaves, 1))
		}
		info, drop = append(info, strconv.Itoa(group)), append(drop, "0.5")
	}
	x := text{version: "2,0,3", base: "0", booster: s.booster, targets: s.classes,
		trees: strings.Join(trees, ","), info: strings.Join(info, ",")}
	if s.starts {
		x.model = fmt.Sprintf(`"iteration_indptr":[%s,%d],`, strings.Join(starts, ","), s.rounds*s.size())
	}
	if s.booster == "dart" {
		x.model += fmt.Sprintf(`"weight_drop":[%s],`, strings.Join(drop, ","))
	}
	if s.best != "" {
		x.columns = fmt.Sprintf(`"attributes":{"best_iteration":%q},`, s.best)
	}
	return strings.Replace(x.String(), `"num_parallel_tree":"1"`, fmt.Sprintf(`"num_parallel_tree":"%d"`, s.parallel), 1)
}

// score returns the score of a class by the first rounds, of a row whose trees' values are
// positive.
func (s *staged) score(class, rounds int) float64 {
	sum := 0.0
	for t := range rounds * s.size() {
		if s.vectors || t%s.size()/s.parallel == class {
			sum += float64(t + 1)
		}
	}
	if s.booster == "dart" {
		return sum / 2
	}
	return sum
}

// TestRounds: a round is all trees of an iteration, predictions use the best iteration unless
// others are requested, and all trees are kept.
func TestRounds(t *testing.T) {
	for name, s := range map[string]staged{
		"one tree":               {rounds: 4, parallel: 1, classes: 1},
		"parallel trees":         {rounds: 4, parallel: 3, classes: 1},
		"several scores":         {rounds: 4, parallel: 1, classes: 3, best: "2"},
		"parallel, several":      {rounds: 4, parallel: 2, classes: 3, best: "1"},
		"since 2.1":              {rounds: 4, parallel: 2, classes: 3, starts: true, best: "0"},
		"dart":                   {rounds: 4, parallel: 1, classes: 1, booster: "dart", best: "1"},
		"vectors":                {rounds: 4, parallel: 1, classes: 3, vectors: true, best: "2"},
		"parallel vectors":       {rounds: 4, parallel: 2, classes: 3, vectors: true, starts: true, best: "1"},
		"the best is the last":   {rounds: 4, parallel: 1, classes: 1, best: "3"},
		"the best is not there":  {rounds: 4, parallel: 1, classes: 1, best: "9"},
		"the best is no number":  {rounds: 4, parallel: 1, classes: 1, best: "x"},
		"the best is below zero": {rounds: 4, parallel: 1, classes: 1, best: "-1"},
	} {
		t.Run(name, func(t *testing.T) {
			m, ref := decode(t, xgboost.JSON(), []byte(s.String()))
			e := m.(*model.Ensemble)
			best, err := strconv.Atoi(s.best)
			if err != nil || best < 0 || best >= s.rounds {
				best = s.rounds - 1
			}
			if len(e.Trees) != s.rounds*s.size() || e.NumRounds() != s.rounds {
				t.Fatalf("%d trees in %d rounds, want %d in %d", len(e.Trees), e.NumRounds(),
					s.rounds*s.size(), s.rounds)
			}
			row, got := []float64{2, 0}, make([]float64, s.classes)
			check := func(what string, rounds int) {
				t.Helper()
				for class, x := range got {
					if want := s.score(class, rounds); x != want {
						t.Errorf("%s: score %d is %v, want %v", what, class, x, want)
					}
				}
			}
			for requested, rounds := range map[int]int{0: best + 1, model.AllRounds: s.rounds, 1: 1, 2: 2,
				3: 3, 4: 4} {
				p, err := e.Bind(&e.Meta.Schema, model.Options{Output: model.Raw, Rounds: requested})
				if err != nil {
					t.Fatal(err)
				}
				if err := p.PredictRow(got, row); err != nil {
					t.Fatal(err)
				}
				check(fmt.Sprintf("%d rounds requested", requested), rounds)
			}
			ref.Raw(got, row)
			check("the reference", best+1)
		})
	}
}
