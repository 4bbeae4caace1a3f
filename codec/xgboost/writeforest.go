package xgboost

import "fmt"

// forest stores the trees, round after round.
func (w *writing) forest() error {
	places, starts := w.rounds()
	o := &w.file.forest
	w.divisors = w.Divisors()
	for r, from := range starts {
		to := len(places)
		if r+1 < len(starts) {
			to = int(starts[r+1])
		}
		o.rounds = append(o.rounds, int32(len(o.trees)))
		for _, i := range places[from:to] {
			if err := w.tree(i); err != nil {
				return err
			}
		}
		if r == 0 {
			w.start()
		}
	}
	w.start()
	// 1.7 leaves trees out that do not make a round of all scores
	for scores := w.Scores(); len(o.trees)%scores != 0; {
		o.constant(len(o.trees)%scores, 0)
	}
	o.rounds = append(o.rounds, int32(len(o.trees)))
	o.parallel = o.uniform(w.Scores())
	return nil
}

// rounds returns the trees in the order of the rounds, and where each round starts.
func (w *writing) rounds() (places []int, starts []int32) {
	if w.Rounds != nil {
		for i := range w.Trees {
			places = append(places, i)
		}
		return places, w.Rounds
	}
	var rounds [][]int
	seen := map[int32]int{}
	for i := range w.Trees {
		score := w.OutputOf(i)
		r := seen[score]
		seen[score]++
		if r == len(rounds) {
			rounds = append(rounds, nil)
		}
		rounds[r] = append(rounds[r], i)
	}
	for _, r := range rounds {
		starts = append(starts, int32(len(places)))
		places = append(places, r...)
	}
	return places, starts
}

// uniform returns the number of trees of a round for one score; 1 if it differs.
func (o *forest) uniform(scores int) int64 {
	size := 0
	for i := 1; i < len(o.rounds); i++ {
		n := int(o.rounds[i] - o.rounds[i-1])
		if n%scores != 0 || i > 1 && n != size {
			return 1
		}
		size = n
	}
	return int64(max(1, size/scores))
}

// start adds trees for the start values that no tree of the first round has. Whatever number of
// rounds predictions use, that round is among them.
func (w *writing) start() {
	for score, b := range w.bias {
		if b != 0 {
			w.file.forest.constant(score, float32(b))
		}
	}
	clear(w.bias)
}

// constant adds a tree of one leaf to the last round.
func (o *forest) constant(score int, value float32) {
	if len(o.rounds) == 0 {
		o.rounds = []int32{0}
	}
	o.trees = append(o.trees, &fileTree{left: []int32{-1}, right: []int32{-1},
		feature: []int32{0}, cond: []float32{value}, defaultLeft: []uint8{0}, kind: []uint8{0},
		gain: []float32{0}, hessian: []float32{0}, base: []float32{value}})
	o.group = append(o.group, int32(score))
}

// tree stores a tree, once for each number of its leaves.
func (w *writing) tree(i int) error {
	t := w.Trees[i]
	score := w.OutputOf(i)
	layout := newLayout(t)
	for k := range t.Leaf.Width {
		to, scale := max(score, 0)+int32(k), w.WeightOf(i)
		if w.divisors != nil {
			scale *= 1 / w.divisors[to]
		}
		out, err := layout.tree(w, k, scale, w.bias[to])
		if err != nil {
			return fmt.Errorf("tree %d: %w", i, err)
		}
		w.bias[to] = 0
		w.file.forest.trees = append(w.file.forest.trees, out)
		w.file.forest.group = append(w.file.forest.group, to)
	}
	return nil
}
