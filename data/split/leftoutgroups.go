package split

// leaveGroupsOut removes from training sets the rows of groups that are in the test set, and counts
// them; nil groups are none. It is an error if a training set is left without rows.
func leaveGroupsOut(folds []Fold, group []int64) error {
	if group == nil {
		return nil
	}
	for i := range folds {
		f := &folds[i]
		tested := map[int64]bool{}
		for _, row := range f.Test {
			tested[group[row]] = true
		}
		kept := f.Train[:0]
		for _, row := range f.Train {
			if !tested[group[row]] {
				kept = append(kept, row)
			}
		}
		f.LeftOut, f.Train = len(f.Train)-len(kept), kept
		if len(kept) == 0 {
			return &TooFewError{What: "row", Set: "training set of a fold"}
		}
	}
	return nil
}

// noSet is the number of rows that are in none of the sets.
const noSet = int32(-1)

// leaveSetsOut takes rows out of the sets in time whose groups are in a later set. It is an error
// if a set that is to have rows is left without.
func leaveSetsOut(setOf []int32, group []int64, rows []int32, size setSizes) error {
	later := map[int64]bool{}
	names := [...]string{"training set", "validation set", "test set"}
	for p := testSet; p >= trainingSet; p-- {
		if size[p] == 0 {
			continue
		}
		var kept []int32
		for i, row := range rows {
			switch {
			case setOf[i] != p:
			case later[group[row]]:
				setOf[i] = noSet
			default:
				kept = append(kept, row)
			}
		}
		if len(kept) == 0 {
			return &TooFewError{What: "row", Set: names[p]}
		}
		for _, row := range kept {
			later[group[row]] = true
		}
	}
	return nil
}

// LeftOut returns how many earlier rows folds do not train on because their groups are tested, the
// sum over the folds.
func LeftOut(folds []Fold) int {
	n := 0
	for i := range folds {
		n += folds[i].LeftOut
	}
	return n
}
