//go:build linux

package main

import (
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
)

// comparison sets a learner of ours against its like, each with the same number of trees, columns
// per node and rows per leaf. The peer has several programs where it takes categories in several
// ways: the first that can take a table is the one that is compared, which no row decides; with
// -best it is the best on the very rows of the test, which favours the peer.
type comparison struct {
	title string
	key   string // to choose it by
	ours  own
	peers []peer
}

// own is a learner of the catalog with settings.
type own struct {
	learner string
	set     []string
	// rows of a node that becomes a leaf; nil: all parameters are the defaults
	node func(t data.Task) int
}

// defaults reports whether the learner is compared as it is, and so the peers.
func (o *own) defaults() bool { return o.node == nil }

// rowsOfLeaf returns the rows of a node that becomes a leaf, 0 where that is for each side to
// choose.
func (o *own) rowsOfLeaf(t data.Task) int {
	if o.defaults() {
		return 0
	}
	return o.node(t)
}

// peer is a program with its settings.
type peer struct {
	program string // peers.py or peers.R
	method  string
	coding  string // of categories
	// the peer has nothing but codes for the categories of this table, as if they were numbers
	forced bool
}

// full grows trees until leaves are pure; five is the usual size of a leaf for numbers.
func full(data.Task) int { return 1 }

func five(t data.Task) int {
	if t.Classes() {
		return 1
	}
	return 5
}

func comparisons() []comparison {
	return []comparison{
		{"forest (majority votes) against ranger", "ranger",
			own{"forest", []string{"vote=majority"}, five},
			[]peer{{program: "peers.R", method: "gini", coding: "ignore"}}},
		{"forest (mean probabilities) against scikit-learn's RandomForest", "sklearn",
			own{"forest", []string{"vote=probability"}, full},
			[]peer{{program: "peers.py", method: "RandomForest", coding: "one-hot"},
				{program: "peers.py", method: "RandomForest", coding: "codes"}}},
		{"extratrees (mean probabilities) against scikit-learn's ExtraTrees", "sklearn-extra",
			own{"extratrees", []string{"vote=probability"}, full},
			[]peer{{program: "peers.py", method: "ExtraTrees", coding: "one-hot"},
				{program: "peers.py", method: "ExtraTrees", coding: "codes"}}},
		{"extratrees (majority votes) against ranger's, all rows for each tree", "ranger-extra",
			own{"extratrees", []string{"vote=majority"}, five},
			[]peer{{program: "peers.R", method: "extratrees", coding: "partition"}}},
		{"gbm against XGBoost, defaults against defaults", "gbm-xgboost", own{"gbm", nil, nil},
			[]peer{{program: "peers.py", method: "XGBoost", coding: "categories"},
				{program: "peers.py", method: "XGBoost", coding: "one-hot"},
				{program: "peers.py", method: "XGBoost", coding: "codes"}}},
		{"gbm against scikit-learn's HistGradientBoosting, defaults against defaults",
			"gbm-sklearn", own{"gbm", nil, nil},
			[]peer{{program: "peers.py", method: "HistGradientBoosting", coding: "categories"},
				{program: "peers.py", method: "HistGradientBoosting", coding: "codes"}}},
	}
}

// widest is the largest number of columns that a coding by a column for each level may have.
const widest = 1000

// most is the number of levels up to which ranger splits them into sets.
const most = 53

// fit changes a peer to what it can do with a table; false if there is nothing that is not done
// already.
func (p peer) fit(ds *data.Dataset) (peer, bool) {
	levels, wide := 0, 0
	for i := range ds.Schema.Fields {
		n := len(ds.Schema.Fields[i].Levels)
		levels = max(levels, n)
		wide += max(n, 1)
	}
	switch {
	case p.coding == "one-hot":
		return p, levels > 0 && wide <= widest
	case p.coding == "categories":
		return p, levels > 0
	case p.coding == "partition" && levels > most:
		p.coding, p.forced = "ignore", true
	case p.coding == "codes":
		p.forced = levels > 0
	}
	return p, true
}

// columns returns how many columns the peer gets.
func (p peer) columns(ds *data.Dataset) int {
	if p.coding != "one-hot" {
		return len(ds.Columns)
	}
	wide := 0
	for i := range ds.Schema.Fields {
		wide += max(len(ds.Schema.Fields[i].Levels), 1)
	}
	return wide
}

// mtry returns the number of columns that a node scans.
func mtry(columns int, task data.Task) int {
	if task.Classes() {
		return max(1, int(math.Sqrt(float64(columns))))
	}
	return max(1, columns/3)
}

func (p peer) String() string { return fmt.Sprintf("%s-%s", p.method, p.coding) }
